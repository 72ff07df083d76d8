"""Exact and certified arithmetic of triangles."""
