import type { SqlCatalog } from '../../compiler/catalog.ts'
import type { TableDialect } from '../../compiler/dialect.ts'
import type { DatabaseConnector } from '../../connector-kit/connector.ts'
import type { MirrorSource } from '../../connector-kit/mirror-source.ts'
import type { Definitions } from '../../core/definitions.ts'
import { RELATION_CONTRACTS } from '../../relations/contracts.ts'
import { inlineColumns } from '../../relations/define-relation.ts'
import { type HeaderInputs, headerOf } from '../held/header.ts'
import { type HeldTable, heldTables, PLAN } from '../held/held-tables.ts'

/** The inputs of a publication, other than rows. */
export interface LakeSource {
  readonly connector: DatabaseConnector
  readonly mirror: MirrorSource
  /** The relations of the product and of the connector. */
  readonly catalog: SqlCatalog
  readonly definitions: Definitions
  readonly dialect: TableDialect
  readonly header: HeaderInputs
}

/** The held relations of a publication, without the names of their tables. */
export function publishedRelations({ connector, catalog, mirror, dialect }: LakeSource): readonly HeldTable[] {
  const held = heldTables(connector, catalog, mirror, dialect.name)
  const contract = RELATION_CONTRACTS.find(({ name }) => name === PLAN)
  if (contract === undefined || catalog.relation(PLAN, dialect.name) === undefined) return held
  return [...held, { relation: PLAN, table: `cached_${PLAN}`, columns: inlineColumns(contract, mirror.keyType) }]
}

/** The header of publications that this program makes, and can read. An opening has the rates into the base currency of its writer only. */
export function lakeHeader(source: LakeSource): string {
  const { catalog, dialect, definitions, header } = source
  const identity = JSON.stringify([header.identity, definitions.base_currency ?? null])
  return headerOf({ catalog, held: publishedRelations(source), dialect }, { ...header, identity })
}
