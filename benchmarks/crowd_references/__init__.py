"""Compiled references of the algorithms that the source of crowds describes and compares, for the benchmarks."""
