"""Self-contained web pages of reports, crowds, elements and spheres, and the PDF of a report."""
