"""The presets of house rules, clause by clause."""
