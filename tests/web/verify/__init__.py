"""The verifier in JavaScript."""
