"""Compiled arithmetic: arrays in, arrays out; knows nothing of files, names or scenes."""
