"""Power cuts: everything that SQLite writes is recorded, and the disk is built as it may be after a cut at any point.

What was written and not synced may be lost, whole or in any subset of its sectors of 512 bytes, in any order. New files
are taken as durable at once, since the store creates its file when it's set up, and waits for that.
"""
