"""The description of the HTTP interface as OpenAPI."""
