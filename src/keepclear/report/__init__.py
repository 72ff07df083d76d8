"""What the check of a world found: records that can be printed, stored, read back and looked at."""
