"""What was proved before, in one SQLite file, under digests of everything that it depends on."""
