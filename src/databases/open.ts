import type { BillingDialect, Dialect } from '../compiler/dialect.ts'
import { ConfigurationError } from '../core/errors.ts'
import type { Executor } from '../ports/executor.ts'
import { createMysqlExecutor } from './mysql/mysql.ts'
import type { ExecutorOptions } from './options.ts'
import { createPgliteExecutor } from './pglite.ts'
import { createPostgresExecutor } from './postgres/postgres.ts'
import { createTrinoExecutor } from './trino/trino.ts'

export interface OpenOptions extends Omit<ExecutorOptions, 'dialect'> {
  readonly dialects: Readonly<Record<BillingDialect, Dialect>>
}

/**
 * The executor for the URL: `postgres://`, `postgresql://`, `mysql://`, `mariadb://`, `trino://`, or `pglite:<directory>` (`pglite:` alone is in
 * memory). Connects on first use. ConfigurationError for any other scheme.
 */
export function openExecutor(options: OpenOptions): Executor {
  const { dialects, ...rest } = options
  const scheme = /^[a-z]+:/i.exec(options.url)?.[0].toLowerCase()
  if (options.trino?.tokenFile !== undefined && scheme !== 'trino:')
    throw new ConfigurationError(['database.token_file: only a database on Trino takes a token'])
  switch (scheme) {
    case 'postgres:':
    case 'postgresql:':
      return createPostgresExecutor({ ...rest, dialect: dialects.postgres })
    case 'mysql:':
    case 'mariadb:':
      return createMysqlExecutor({ ...rest, dialect: dialects.mysql })
    case 'trino:':
      return createTrinoExecutor({ ...rest, dialect: dialects.trino })
    case 'pglite:':
      return createPgliteExecutor({
        ...rest,
        dialect: dialects.postgres,
        directory: options.url.slice('pglite:'.length) || undefined,
      })
    default:
      // The URL is not shown, because any part of it may be the password.
      throw new ConfigurationError([
        'database.url must begin with postgres://, postgresql://, mysql://, mariadb://, trino:// or pglite:',
      ])
  }
}
