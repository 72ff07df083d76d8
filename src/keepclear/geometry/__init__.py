"""Shapes and everything that is derived from one shape; nothing here moves. For all tiers above."""
