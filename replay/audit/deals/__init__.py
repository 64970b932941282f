"""Checks of ceremonies: promises, cuts, seeds, the cards and draws that follow from them, and the record of each deal.

It uses `replay.audit.play` and `replay.audit.scoring`. The protocol itself lives in `domain.protocols.fairdeal`.
"""
