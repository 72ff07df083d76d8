"""Moving points: a vertex and a face, or two edges, with signs in integers where float64 is not enough."""
