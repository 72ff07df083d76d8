"""`python -m keepclear` is the command `keepclear`."""

from keepclear.cli.main import main

if __name__ == "__main__":
    main()
