"""Non-interference by the thousand: worlds that differ only in what a viewer may not know give them the same bytes."""
