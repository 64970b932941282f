"""Commands about receipts, witnesses, keys and disputes."""
