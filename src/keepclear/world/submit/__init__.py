"""Checks in the background: a queue, its threads, and what each check does in chunks."""
