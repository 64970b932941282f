"""The rules of a table as data: the named choices, the value `Rules`, and the variants.

Nothing here judges a move; `domain.engine` does. This package imports only cards, refusals, and helpers.
"""
