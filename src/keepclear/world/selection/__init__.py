"""Which pairs of a world are checked, when and with which margin, and which are only listed."""
