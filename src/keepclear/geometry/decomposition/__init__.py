"""Convex elements of surfaces and convex parts of solids: the search, and its proof."""
