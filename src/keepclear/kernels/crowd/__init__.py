"""Event-driven detection among many spheres."""
