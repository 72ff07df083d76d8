"""Fuzzing of every reader: `python -m tests.fuzz --files 200000 --seed 1`.

Valid files (`corpus/`) are changed at random, guided by the lines that they reach, and read with limits of time and
memory. A reader returns a valid object or raises a `KeepclearError`; anything else is a finding, which is made small and
saved in `found/`, where a regression test replays it.
"""
