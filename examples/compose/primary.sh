#!/bin/sh
# Lets a standby follow this PostgreSQL. The image runs this script once, when it creates the database.
set -eu
psql -v ON_ERROR_STOP=1 -U "$POSTGRES_USER" -d postgres -c "create role standby replication login password '$STANDBY_PASSWORD'"
echo 'host replication standby all scram-sha-256' >> "$PGDATA/pg_hba.conf"
