"""Convex decomposition of surfaces: flat faces, and elements merged from them."""
