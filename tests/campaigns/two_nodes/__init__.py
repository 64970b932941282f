"""Two nodes on one PostgreSQL, killed or upgraded while clients race: nothing is lost, and nothing happens twice."""
