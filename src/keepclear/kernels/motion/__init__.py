"""Poses, velocities and acceleration bounds of packed motions."""
