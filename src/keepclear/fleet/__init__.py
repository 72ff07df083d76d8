"""Many cells and programs: jobs, results, and fleet files."""
