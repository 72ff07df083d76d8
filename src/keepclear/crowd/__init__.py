"""Many spheres at once, advanced from event to event."""
