#!/bin/sh
# Creates the read-only role from the output of `plumbline grants`. The arguments are the database client to run:
#   plumbline grants --dialect postgres --user plumbline_reader | create-reader.sh psql -v ON_ERROR_STOP=1 -h primary -U postgres killbill
#   plumbline grants --dialect mysql --user plumbline_reader | create-reader.sh mariadb -h primary -u root killbill
# READER_PASSWORD is the password of the role. A second run grants again and sets the password.
set -eu
: "${READER_PASSWORD:?must be the password of the role}"
case "$READER_PASSWORD" in
  *[!A-Za-z0-9_.-]*) echo 'READER_PASSWORD may contain only letters, digits and _ . -' >&2; exit 2 ;;
esac

statements=$(sed "s/'…'/'$READER_PASSWORD'/")
create=$(printf '%s\n' "$statements" | sed -n 1p)
printf '%s\n' "$create" | "$@" >/dev/null 2>&1 || printf '%s\n' "$create" | sed 's/^create /alter /' | "$@"
printf '%s\n' "$statements" | sed 1d | "$@"
