"""The published protocols: FairDeal, the Merkle log, signed notes and their proofs.

Uses only the standard library, so that anybody can reimplement it from docs/. Knows no game and no rule of play.
"""
