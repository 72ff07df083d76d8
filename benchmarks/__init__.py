"""Evidence that answers are fast: keepclear and its peers on the same inputs, in one process."""
