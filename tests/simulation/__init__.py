"""One seed and a thousand faults: clients and two servers step in an order drawn from a seed, in one process."""
