import type { Statement } from '../../compiler/statement.ts'
import { currentCaller } from '../../core/caller.ts'
import { ConfigurationError } from '../../core/errors.ts'
import type { ServerAddress } from '../addresses/server-address.ts'
import type { Limits, TrinoOptions } from '../options.ts'

type Headers = Readonly<Record<string, string>>

/** Bytes that one query may read from files. */
const SCAN_LIMIT_GB = 100
/**
 * Plumbline's own limit of a query. A cluster allows 150 stages by default. Trino plans a relation again for each place that reads it, so an answer
 * straight from the tables has up to 800: the summary has most. From a publication it has 100 at most.
 */
export const MOST_STAGES = 1_000
/** Without a worker, a query would wait for five minutes. */
const WORKERS_WAIT = '10s'

/** The schema of the billing tables. Undefined: each statement has its own. */
interface SchemaPlace {
  readonly catalog: string
  readonly schema: string | undefined
}

/** The schema that an address names, or another one of the same catalog. ConfigurationError for a name that no header can hold. */
export function placeIn({ database = '' }: ServerAddress, otherSchema: string | undefined): SchemaPlace {
  const [catalog = '', schema] = database.split('/')
  if (otherSchema !== undefined && !/^[\w-]{1,128}$/.test(otherSchema))
    throw new ConfigurationError(['database.schema: must be letters, digits, - and _ on Trino'])
  return { catalog, schema: otherSchema?.toLowerCase() ?? schema }
}

/** The headers of a query that are the same for all: its schema, its zone and its limits. */
export function sessionHeaders(
  { catalog, schema }: SchemaPlace,
  { statementTimeoutMs, applicationName }: Limits,
  { scanLimitGb = SCAN_LIMIT_GB, isFaultTolerant = false }: Pick<TrinoOptions, 'scanLimitGb' | 'isFaultTolerant'> = {},
): Headers {
  const properties = {
    query_max_run_time: `${Math.ceil(statementTimeoutMs)}ms`,
    query_max_scan_physical_bytes: `${scanLimitGb}GB`,
    query_max_stage_count: String(MOST_STAGES),
    required_workers_count: '1',
    required_workers_max_wait_time: WORKERS_WAIT,
    ...(isFaultTolerant && { retry_policy: 'TASK' }),
  }
  return {
    'x-trino-source': applicationName,
    'x-trino-catalog': catalog,
    ...(schema === undefined ? {} : { 'x-trino-schema': schema }),
    'x-trino-time-zone': 'UTC',
    // Without it, instants come in milliseconds.
    'x-trino-client-capabilities': 'PARAMETRIC_DATETIME',
    'x-trino-session': Object.entries(properties)
      .map(([name, value]) => `${name}=${value}`)
      .join(','),
    'content-type': 'text/plain; charset=utf-8',
    'user-agent': applicationName,
  }
}

/** The headers of a statement with its own schema. */
export function placeHeaders(place: Statement['place']): Headers {
  return place === undefined ? {} : { 'x-trino-catalog': place.catalog, 'x-trino-schema': place.schema }
}

/** The headers by which an administrator finds a query: metric and query as tags, and the id of the request. */
export function queryHeaders(label: string): Headers {
  const [name = ''] = label.split(' ')
  const tags = name.split('.').filter((tag) => /^[\w/-]{1,64}$/.test(tag))
  const requestId = currentCaller()?.requestId
  return {
    ...(tags.length === 0 ? {} : { 'x-trino-client-tags': tags.join(',') }),
    ...(requestId === undefined ? {} : { 'x-trino-trace-token': requestId }),
  }
}
