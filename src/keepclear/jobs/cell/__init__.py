"""Verification from a cell file to a report."""
