"""A world step by step: samples in time, which prove nothing between them."""
