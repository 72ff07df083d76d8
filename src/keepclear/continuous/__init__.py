"""Two shapes over an interval of time: proved clear, first contact, or undecided."""
