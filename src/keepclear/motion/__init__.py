"""The pose of a body at time t, its path length, and the segments that kernels read. For all tiers above."""
