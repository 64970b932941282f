"""Cosigned receipts, public beacons and shards as the documents describe them."""
