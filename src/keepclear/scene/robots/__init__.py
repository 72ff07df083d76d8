"""One robot among bodies at rest, as tables for edges, configurations and proved spheres."""
