"""Many short straight motions of one robot, or many configurations of it, checked against a scene in one run."""
