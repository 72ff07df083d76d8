"""Robot files: URDF and SRDF, and the shapes of links that they name."""
