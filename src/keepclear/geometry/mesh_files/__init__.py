"""Readers of mesh files: bytes in, vertices and faces out. `read_mesh` is their only caller."""
