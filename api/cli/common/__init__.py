"""What several commands share: configuration, evidence given as files, histories, progress bars, worker processes."""
