"""A simulation in one process: clients, two servers and faults take steps in an order that a seed decides."""
