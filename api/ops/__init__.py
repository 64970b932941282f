"""Work on a whole store for the people who run a server: backup, restore, and a check of everything.

Called by the command line only. Reads databases directly where no server may be running.
"""
