"""The audit: sound games have no findings, and each forgery has one."""
