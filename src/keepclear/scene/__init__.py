"""The compiled world: named objects, their parent frames over time, rules, and the tables that kernels read."""
