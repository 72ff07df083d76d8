"""Swept boxes over time steps, and which of them come near each other."""
