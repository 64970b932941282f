"""The rule sheets: their clauses, options and examples."""
