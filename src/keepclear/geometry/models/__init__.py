"""Prepared models: a shape with all that was built for it, in memory and in files."""
