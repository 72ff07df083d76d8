"""Changes the sources one place at a time and looks whether a test notices: `python -m tools.mutation --help`."""
