"""Pure questions about a state: what is legal, who takes a trick, what is scored, what is due when.

Functions here return answers and never facts; `domain.decide` turns the answers into facts.
"""
