#!/bin/sh
# Patroni runs this once, on the first primary of a group, with the superuser's connection string as its argument.
# The image of PostgreSQL, in docker-compose.yml, runs it without one when it has made the data folder.
set -eu
password=$(cat "$PASSWORDS/postgres")
psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --set "password=$password" --dbname "${1:-dbname=postgres}" <<'SQL'
CREATE ROLE trickbook LOGIN PASSWORD :'password';
CREATE DATABASE trickbook OWNER trickbook ENCODING 'UTF8' TEMPLATE template0;
REVOKE ALL ON DATABASE trickbook FROM PUBLIC;
SQL
