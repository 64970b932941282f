"""Pure questions about a state: which moves are legal, who takes a trick, what a hand scores, what is due when.

`domain.decide` turns the answers into facts.
"""
