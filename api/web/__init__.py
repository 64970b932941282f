"""The manners that all routes share: callers, declarations, problems, strict JSON, conditional requests, budgets."""
