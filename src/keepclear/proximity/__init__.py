"""Two shapes at one instant: distance, collision, penetration and tracking."""
