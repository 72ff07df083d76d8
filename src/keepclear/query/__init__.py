"""Questions about two bodies: at an instant, from frame to frame, and during an interval."""
