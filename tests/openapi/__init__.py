"""Tests of the description of the interface (docs/decisions/0068)."""
