"""Slow, obvious and exact answers that share no code with the library they check."""
