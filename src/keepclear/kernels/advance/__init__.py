"""Conservative advancement: what happens during an interval of time."""
