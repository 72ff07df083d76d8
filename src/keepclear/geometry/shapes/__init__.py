"""What an object is: immutable descriptions of its geometry, checked once."""
