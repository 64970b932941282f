"""Command lines in the way of pbmserv: `pitch move 123 ann PASSWORD AD`.

A line becomes a typed request (`grammar`), and the request an answer (`service`). One table (`catalog`) says which
commands there are; help, docs/commands.md and the completion of shells are made from it.
"""
