"""Carries out requests, one module for each subject."""
