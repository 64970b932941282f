"""Tests of private tables and of the spectators' delay."""
