"""The compiled world: items, their frames over time, rules, and the tables that kernels read."""
