"""Nothing that a viewer receives depends on what they may not know."""
