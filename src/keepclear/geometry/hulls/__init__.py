"""Convex hulls of meshes, the proof that a stored one is a hull, and which faces are real."""
