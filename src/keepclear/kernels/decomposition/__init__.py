"""Convex decomposition: elements of surfaces, merged from flat faces, and parts of solids, cut by planes."""
