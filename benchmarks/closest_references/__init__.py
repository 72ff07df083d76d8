"""Compiled references of the searches that the source of closest points describes, for the benchmarks."""
