"""Makes the cell that `keepclear demo` shows: an arm, an arch, a cart and two programs."""
