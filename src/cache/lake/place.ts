import { type Fragment, ident, sql, statementOf } from '../../connector-kit/query-runner.ts'
import { ConfigurationError } from '../../core/errors.ts'
import type { Row } from '../../ports/rows.ts'
import type { Snapshot } from '../../ports/snapshot.ts'

/** A schema of Trino. */
export interface LakePlace {
  readonly catalog: string
  readonly schema: string
}

/** The schema that a setting names. */
export function readPlace(text: string, setting = 'lake.schema'): LakePlace {
  const [, catalog, schema] = /^([a-z_][a-z0-9_]{0,62})\.([a-z_][a-z0-9_]{0,62})$/.exec(text) ?? []
  if (catalog === undefined || schema === undefined)
    throw new ConfigurationError([`${setting}: must be <catalog>.<schema>, in lower case`])
  return { catalog, schema }
}

/** A table of a schema, with its whole name. */
export function tableIn({ catalog, schema }: LakePlace, table: string): Fragment {
  return sql`${ident(catalog)}.${ident(schema)}.${ident(table)}`
}

/** The whole name of a table as text. */
export function nameIn({ catalog, schema }: LakePlace, table: string): string {
  return `${catalog}.${schema}.${table}`
}

/** The whole name of a table of any name, as text. */
export function sourceIn(place: LakePlace, table: string): string {
  return nameIn(place, /^[a-z_][a-z0-9_]*$/.test(table) ? table : `"${table}"`)
}

/** Runs a statement of a publication. */
export function runIn(snapshot: Snapshot, label: string, statement: Fragment): Promise<readonly Row[]> {
  return snapshot.query(statementOf(statement, snapshot.dialect, `lake.${label}`))
}

/** True if Trino reads a catalog with its connector for Iceberg. */
export async function isIceberg(snapshot: Snapshot, { catalog }: LakePlace): Promise<boolean> {
  const text = 'select connector_name from system.metadata.catalogs where catalog_name = ?'
  const [row] = await snapshot.query({ text, values: [catalog], label: 'lake.catalog' })
  return row?.['connector_name'] === 'iceberg'
}
