"""Tests of `trickbook --server URL`, against servers that really run."""
