"""Crowds in files: saved states, checked before use, and recorded tracks."""
