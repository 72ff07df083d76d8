"""The result of checking a world: records that can be printed, stored, read back and shown."""
