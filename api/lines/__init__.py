"""Command lines in the way of pbmserv: a line is read into a request, carried out, and answered as text."""
