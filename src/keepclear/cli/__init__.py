"""What commands share: options, outputs, progress, exit codes. Only `keepclear.__main__` calls it."""
