"""The surface of a mesh in the form of kernels, and the trees of boxes over its triangles."""
