"""Bodies as tuples of parts, and the balls and boxes around them: what queries are asked about."""
