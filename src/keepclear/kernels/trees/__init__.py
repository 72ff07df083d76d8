"""Bounding volume trees of meshes: build and search."""
