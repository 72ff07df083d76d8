"""Motions: the pose of an object at time t, and bounds of its path length and displacement."""
