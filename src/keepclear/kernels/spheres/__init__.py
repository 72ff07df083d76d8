"""Sphere trees: division of cells that a surface passes through, and search of two trees."""
