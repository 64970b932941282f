"""The description of this interface as OpenAPI, and a page that shows it."""
