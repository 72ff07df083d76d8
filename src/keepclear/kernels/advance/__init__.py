"""Conservative advancement: contacts and least distances of moving bodies during an interval of time."""
