"""Tests of `trickbook play`: its pure functions, its screen in this process, and the program at a pseudo-terminal."""
