"""What a table plays by, as data: the vocabulary of choices, the value `Rules`, and the variants.

Nothing here judges a move; that is `domain.engine`. Imports only cards, refusals and helpers.
"""
