"""Closest points, depth and support points of convex bodies."""
