"""Where an object is at time t, and how far it can get from there."""
