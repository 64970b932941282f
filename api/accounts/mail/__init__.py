"""What play by mail keeps: who wants which mails, the mails that wait, and how far the log is read."""
