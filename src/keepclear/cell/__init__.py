"""The whole job from a file: a cell goes in, a report comes out."""
