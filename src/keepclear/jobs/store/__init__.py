"""Results of earlier runs in one SQLite file, keyed by digests of everything that they depend on."""
