"""Structures computed once per shape: the flat arrays of surfaces and the trees over their triangles."""
