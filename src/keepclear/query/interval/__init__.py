"""Two bodies during an interval: first contact, minimum distance, casts, and the methods for them."""
