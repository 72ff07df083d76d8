"""Named objects over time, and all questions about them: `kc.World`."""
