import type pg from 'pg'
import { once } from '../../core/async.ts'
import { AppError } from '../../core/errors.ts'
import type { Row } from '../../ports/rows.ts'
import { withDeadline } from '../driver.ts'
import type { Limits } from '../options.ts'
import { refuseOldServer } from '../server-version.ts'

const TEXTS = ['begin transaction read only', 'show server_version', 'rollback']

/**
 * Asks each new connection of a pool for its server's version. ConfigurationError if the version is too old, before the server receives
 * settings that it may not know.
 */
export function createGreeting({ connectTimeoutMs, tap }: Limits): (client: pg.PoolClient) => Promise<pg.PoolClient> {
  const greeted = new WeakSet<pg.PoolClient>()
  return async (client) => {
    if (greeted.has(client)) return client
    const destroy = once(() => client.release(true))
    try {
      for (const text of TEXTS) tap(text)
      // Several statements in one text answer as a list, which the driver's types do not know.
      const answers: unknown = await withDeadline(connectTimeoutMs, destroy, () => client.query(TEXTS.join('; ')))
      const [, version] = answers as readonly pg.QueryResult<Row>[]
      refuseOldServer('PostgreSQL', String(version?.rows[0]?.['server_version']))
    } catch (error) {
      destroy()
      throw error
    }
    greeted.add(client)
    return client
  }
}

/**
 * Finds functions and operators of the billing schema that PostgreSQL would call in place of the built-in ones. They have the
 * name and the number of arguments of a built-in function, but argument types that fit a value without conversion, such as
 * character varying. PostgreSQL prefers the closer type, although pg_catalog comes first in the search path.
 */
export const READ_TWINS = `
with routine as (
  select 'function' as kind, oid, proname as name, pronamespace as place, provariadic <> 0 as takes_any_number, proargtypes::oid[] as types
  from pg_catalog.pg_proc
  union all
  select 'operator', oid, oprname, oprnamespace, false, array[oprleft, oprright] from pg_catalog.pg_operator
)
select case own.kind when 'function' then own.oid::regprocedure::text else own.oid::regoperator::text end as twin
from routine as own
where own.place = (select space.oid from pg_catalog.pg_namespace as space where space.nspname = current_schema())
  and exists (
    select from routine as other
    where other.place = 'pg_catalog'::regnamespace and other.kind = own.kind and other.name = own.name and other.types <> own.types
      and (other.takes_any_number or cardinality(other.types) = cardinality(own.types))
      and not exists (
        select from unnest(own.types, other.types) as pair (given, wanted)
        where given <> wanted and wanted not in ('"any"'::regtype, 'anyelement'::regtype, 'anynonarray'::regtype)
          and not exists (
            select from pg_catalog.pg_cast where castsource = given and casttarget = wanted and castcontext = 'i'
          )
      )
  )
order by twin limit 10`

/** AppError `unsupported_by_connector` with the results of `READ_TWINS`. */
export function refuseTwins(rows: readonly Row[]): void {
  const twins = rows.map((row) => String(row['twin']))
  if (twins.length === 0) return
  const detail = `The schema of the billing database has functions or operators that stand in for PostgreSQL's own: ${twins.join(', ')}. Numbers could differ, so nothing is read. Move them to another schema.`
  throw new AppError('unsupported_by_connector', detail, { context: { replaced: twins } })
}
