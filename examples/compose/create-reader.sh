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

# The last line is the step in which a person gives the password.
statements=$(sed -e '/^\\password /d' -e '/^-- /d')
create=$(printf '%s\n' "$statements" | sed -n 1p)
alter=$(printf '%s\n' "$create" | sed -e 's/^create /alter /' -e "s/ login;\$/ login password '$READER_PASSWORD';/" \
  -e "s/ account lock;\$/ identified by '$READER_PASSWORD' account unlock;/")
case "$alter" in
  "alter "*" '$READER_PASSWORD'"*) ;;
  *) echo 'the input must be the output of plumbline grants of the same version' >&2; exit 2 ;;
esac
# The role exists after the first run.
printf '%s\n' "$create" | "$@" >/dev/null 2>&1 || true
printf '%s\n' "$alter" | "$@"
printf '%s\n' "$statements" | sed 1d | "$@"
