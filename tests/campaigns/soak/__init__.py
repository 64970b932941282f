"""Two nodes for hours under every kind of load, with kills; samples show growth, and which growth is a leak."""
