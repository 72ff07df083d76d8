"""Many spheres with unknown motions, advanced from event to event: `kc.Crowd` holds the parts."""
