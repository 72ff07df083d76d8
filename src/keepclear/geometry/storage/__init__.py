"""Structures of shapes on disk: the cache of this user, and files of named arrays."""
