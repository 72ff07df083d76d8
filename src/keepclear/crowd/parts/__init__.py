"""The parts of a crowd: tables, members, motions, probes, shapes, settings. Called by `kc.Crowd`."""
