"""Planning scenes of MoveIt, read and written as a cell."""
