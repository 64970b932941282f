"""Tests of the description of the interface."""
