"""Named objects over time, and checks of them in the background."""
