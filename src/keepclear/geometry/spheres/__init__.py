"""Spheres in place of shapes: trees of ranks, and compact covers with proved bounds."""
