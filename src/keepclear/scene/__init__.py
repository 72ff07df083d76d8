"""The compiled world: named things, what carries them over time, rules, and the tables that kernels read."""
