"""The manners that all routes share: callers, problems, strict JSON, conditional requests, budgets, lanes."""
