"""Restricted box trees of meshes: build, cut and search. Called by `geometry/trees` and `query`."""
