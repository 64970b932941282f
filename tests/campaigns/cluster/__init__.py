"""PostgreSQL servers that fail over with Patroni and etcd, on this machine, while games go on."""
