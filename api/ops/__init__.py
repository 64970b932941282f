"""Work on a whole store for the people who run a server: backup, restore, and a check of everything.

Only the command line calls these modules. They read the databases directly, also while no server runs.
"""
