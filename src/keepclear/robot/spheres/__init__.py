"""Sphere models of robots: built, audited, and read from and written to the formats of planners."""
