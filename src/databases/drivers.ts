import { createRequire } from 'node:module'
import type mysql from 'mysql2'
import type pg from 'pg'

const load = createRequire(import.meta.url)

/** The driver of PostgreSQL, loaded when it is first wanted: a process speaks to one kind of server, and most commands to none. */
export function pgDriver(): typeof pg {
  return load('pg') as typeof pg
}

/** The driver of MySQL and MariaDB, loaded when it is first wanted. */
export function mysqlDriver(): typeof mysql {
  return load('mysql2') as typeof mysql
}
