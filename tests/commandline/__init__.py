"""The command line as people type it: groups, old names, help, completion and wrong calls."""
