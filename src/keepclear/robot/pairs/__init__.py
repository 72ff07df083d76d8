"""Pairs of links: which may touch by default, and which are proved never or always to touch."""
