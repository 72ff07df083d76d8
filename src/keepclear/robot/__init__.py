"""A robot: its links, their shapes, and the pairs of links that may touch."""
