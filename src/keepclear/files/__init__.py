"""Files from outside: opened, unpacked and parsed within limits, and trusted or not. For all tiers above."""
