"""Compiled references of searches that the sources describe, for comparison with those of the library."""
