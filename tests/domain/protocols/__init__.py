"""Fair deals, beacons, the Merkle log and its signatures."""
