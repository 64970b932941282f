"""Writes the golden hand anew."""

from tests.golden import HAND, text

HAND.write_text(text())
