import { createHash } from 'node:crypto'
import type { SqlCatalog } from '../../compiler/catalog.ts'
import type { DialectName, TableDialect } from '../../compiler/dialect.ts'
import type { Definitions } from '../../core/definitions.ts'
import { LEDGER_DEFINITIONS } from '../../core/ledger-options.ts'
import type { HeldTable } from './held-tables.ts'

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

/** Relations that a database holds. */
export interface HeldRelations {
  readonly catalog: SqlCatalog
  readonly held: readonly HeldTable[]
  readonly dialect: TableDialect
}

/**
 * The header of held rows, as text. Rows with another header are of no use. Rates and options of the ledger change no row, so the base currency and
 * these options are left out.
 */
export function headerOf({ catalog, held, dialect }: HeldRelations, inputs: HeaderInputs): string {
  const { version, code, identity, definitions } = inputs
  const { base_currency: _base, ...all } = definitions
  const others = Object.entries(all).filter(([name]) => !Object.hasOwn(LEDGER_DEFINITIONS, name))
  const tables = held.map(({ table, columns }: HeldTable) => [table, columns])
  return createHash('sha256')
    .update(JSON.stringify([version, code, identity, others.sort(), tables, textsOf(catalog, dialect.name)]))
    .digest('hex')
}

/** All relations of a catalog as text: other SQL makes other rows. */
function textsOf(catalog: SqlCatalog, dialect: DialectName): readonly unknown[] {
  return [...catalog.relations()].sort().map((name) => [name, catalog.relation(name, dialect)?.nodes])
}
