"""Two bodies at one instant: distance, contact and penetration depth."""
