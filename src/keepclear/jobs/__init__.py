"""Work from files: cells, fleets of cells, stored results, and the processes that run them."""
