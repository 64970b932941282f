"""The traffic of all campaigns with servers that may be killed: servers, players who race, readers, and the checks."""
