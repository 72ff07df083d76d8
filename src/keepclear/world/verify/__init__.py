"""The verdict over a world and an interval: boxes, hulls, exact shapes, clearances, report."""
