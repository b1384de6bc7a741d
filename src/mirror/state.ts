import { createHash } from 'node:crypto'
import type { SqlCatalog } from '../compiler/catalog.ts'
import { sql, value } from '../connector-kit/query-runner.ts'
import type { Definitions } from '../core/definitions.ts'
import { parseInteger } from '../core/money.ts'
import type { CacheWriter } from '../ports/cache-database.ts'
import { type HeldTable, send } from './held-tables.ts'
import type { MirrorTables } from './mirror-tables.ts'

/**
 * The facts that a stored mirror holds about itself. `header`: a digest of the inputs of its rows other than the billing database. `marks`:
 * the state of the billing database that the rows show. `filled_at`: the instant of the filling by the clock of the machine.
 */
type StateName = 'header' | 'marks' | 'filled_at'

/** Replaces the mirror's fact of this name. */
export async function writeState(writer: CacheWriter, name: StateName, content: unknown): Promise<void> {
  const text = JSON.stringify(content)
  const [updated] = await send(
    writer,
    sql`update cached_state set content = ${value(text, 'text')} where name = ${value(name, 'text')}`,
  )
  if (updated !== undefined && parseInteger(updated['Count']) > 0) return
  await send(writer, sql`insert into cached_state (name, content) values (${value(name, 'text')}, ${value(text, 'text')})`)
}

/** The mirror's facts about itself. Empty for a mirror whose filling has not ended. */
export async function readState(writer: CacheWriter): Promise<Partial<Record<StateName, unknown>>> {
  const rows = await send(writer, sql`select name, content from cached_state`)
  return Object.fromEntries(rows.map(({ name, content }) => [String(name), JSON.parse(String(content)) as unknown]))
}

/** The inputs of the rows that no look at the billing database shows. */
export interface HeaderInputs {
  /** Version of the product. */
  readonly version: string
  /** Digest of the programs that make the rows. Builds of one version may have different ones. */
  readonly code: string
  /** Identifies the billing database and the connector's settings, without secrets. */
  readonly identity: string
  readonly definitions: Definitions
}

/** The header of a mirror, as text. A stored mirror with another header is of no use. Rates change no row, so the base currency is left out. */
export function headerOf({ catalog, held }: Pick<MirrorTables, 'catalog' | 'held'>, inputs: HeaderInputs): string {
  const { version, code, identity, definitions } = inputs
  const { base_currency: _base, ...others } = definitions
  const tables = held.map(({ table, columns }: HeldTable) => [table, columns])
  return createHash('sha256')
    .update(JSON.stringify([version, code, identity, Object.entries(others).sort(), tables, textsOf(catalog)]))
    .digest('hex')
}

/** All relations of a catalog as text: other SQL makes other rows. */
function textsOf(catalog: SqlCatalog): readonly unknown[] {
  return [...catalog.relations()].sort().map((name) => [name, catalog.relation(name, 'duckdb')?.nodes])
}
