"""One file per command: parse, one library call, print."""
