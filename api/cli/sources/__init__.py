"""Where commands read games from: the store on this machine, or a server over HTTP, behind one interface."""
