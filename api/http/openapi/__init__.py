"""The description of the interface as OpenAPI, made from the schemas that validate requests.

`operations` describes each endpoint, `answers` the bodies of responses, `document` puts them together.
"""
