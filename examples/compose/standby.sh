#!/bin/sh
# Copies the primary at the first start, then follows it. PRIMARY is the host of the primary, PGPASSWORD the password of its role `standby`.
set -eu
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  pg_basebackup -h "$PRIMARY" -p "${PRIMARY_PORT:-5432}" -U standby -D "$PGDATA" -R -X stream -c fast
  chmod 0700 "$PGDATA"
fi
exec "$@"
