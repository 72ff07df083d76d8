"""Planning libraries on top of a world: `kc.plan`, for OMPL with the extra "plan"."""
