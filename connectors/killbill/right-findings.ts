import type { CheckFinding, Snapshot } from '../../src/connector-kit/connector.ts'
import { createQueryRunner } from '../../src/connector-kit/query-runner.ts'
import { columnsOf, LOGS } from './fill/logs.ts'
import { grantsCommand } from './grants.ts'
import { readSight } from './rights.ts'
import type { EngineSchema } from './schema.ts'

/** The one table that the guide replaces by a view: it holds other things than catalogs. */
const DOCUMENTED_VIEW = 'tenant_kvs'

/** What of the role's rights makes answers no error and yet less than they might be: views, the engine's own rates, the change log. */
export async function rightFindings(snapshot: Snapshot, schema: EngineSchema): Promise<readonly CheckFinding[]> {
  return [...viewFindings(schema), ...rateFindings(snapshot, schema), ...(await logFindings(snapshot))]
}

function viewFindings({ views }: EngineSchema): readonly CheckFinding[] {
  const others = views.filter((name) => name !== DOCUMENTED_VIEW)
  if (others.length === 0) return []
  const message = `${others.join(', ')} ${others.length === 1 ? 'is a view' : 'are views'}: figures are as complete as what they show; \`plumbline check --cross\` looks for rows that they leave out`
  return [{ name: 'views', level: 'warning', message }]
}

function rateFindings({ dialect }: Snapshot, { withheld_rates }: EngineSchema): readonly CheckFinding[] {
  const remark = withheldText(dialect.name, withheld_rates)
  return remark === undefined ? [] : [{ name: 'engine_rates', level: 'warning', message: remark }]
}

/** A sentence about exchange rates that the engine has and the role may not read; undefined where there are none. */
export function withheldText(dialect: string, withheld: readonly string[]): string | undefined {
  if (withheld.length === 0) return undefined
  const tables = [...new Set(withheld.map((name) => name.replace(/\..*/, '')))]
  return `The database role may not read the engine's own exchange rates, ${withheld.join(', ')}; \`${grantsCommand({ dialect, tables })}\` prints the grant.`
}

async function logFindings(snapshot: Snapshot): Promise<readonly CheckFinding[]> {
  const dialect = snapshot.dialect.name
  const { columns, restricted, views } = await readSight(
    createQueryRunner(snapshot),
    dialect,
    LOGS.map(({ table }) => table),
  )
  const missing = LOGS.map((log) => ({
    table: log.table,
    columns: columnsOf(log).filter((name) => columns.get(log.table)?.has(name) !== true),
  })).filter((log) => log.columns.length > 0)
  const closed = missing.map(({ table }) => table)
  const names = missing.flatMap((log) =>
    columns.has(log.table) ? log.columns.map((name) => `${log.table}.${name}`) : [log.table],
  )
  const command = grantsCommand({ dialect, tables: closed })
  const findings = [
    ...(closed.length === 0 ? [] : [`the role may not read ${names.join(', ')}: \`${command}\` prints the grants that it lacks`]),
    ...(restricted.length === 0 ? [] : [`row-level security hides rows of ${restricted.join(', ')}`]),
    ...(views.length === 0 ? [] : [`changes are told by views, ${views.join(', ')}: what they leave out goes unnoticed`]),
  ]
  const isUseless = closed.length + restricted.length > 0
  const consequence = isUseless ? 'nothing is answered from the cache' : 'answers from the cache may be old'
  return findings.length === 0
    ? []
    : [{ name: 'change_logs', level: 'warning', message: `${consequence}: ${findings.join('; ')}` }]
}
