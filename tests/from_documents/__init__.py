"""Witnesses, public beacons and shards as the documents describe them, each recomputed here."""
