"""Fair deals over HTTP: cuts and beacons."""
