"""Helpers of several commands: configuration, evidence in files, histories, progress bars, worker processes."""
