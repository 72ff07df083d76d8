"""Convex decomposition: elements of surfaces, merged from flat faces, and pieces of solids, cut by planes."""
