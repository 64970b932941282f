#!/bin/sh
# Starts Patroni, and so PostgreSQL, in the folder of this file; or runs another command there, such as
# node.sh patronictl -c patroni.yaml list. PASSWORDS is a folder with a file for each password.
set -eu
cd "$(dirname "$0")"
PATRONI_SUPERUSER_PASSWORD=$(cat "$PASSWORDS/superuser")
PATRONI_REPLICATION_PASSWORD=$(cat "$PASSWORDS/replicator")
PATRONI_RESTAPI_PASSWORD=$(cat "$PASSWORDS/restapi")
export PATRONI_SUPERUSER_PASSWORD PATRONI_REPLICATION_PASSWORD PATRONI_RESTAPI_PASSWORD
export PATRONI_SUPERUSER_USERNAME=postgres PATRONI_REPLICATION_USERNAME=replicator PATRONI_RESTAPI_USERNAME=patroni
[ $# -gt 0 ] || set -- patroni patroni.yaml
exec "$@"
