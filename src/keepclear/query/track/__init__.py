"""Two bodies from frame to frame: `kc.Tracker` for shapes, meshes, parts and groups."""
