"""Evidence: audits, questions, receipts, witnesses, disputes and exports."""
