"""Many cells and programs: jobs, results, comparisons with earlier runs, and fleet files."""
