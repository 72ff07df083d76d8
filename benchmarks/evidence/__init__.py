"""The published figures: `python -m benchmarks.evidence` measures them and writes `docs/evidence.md`."""
