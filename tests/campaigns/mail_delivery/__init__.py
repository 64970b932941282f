"""Mail through Postfix, and through programs that are killed."""
