"""The pages about disputes in a real browser."""
