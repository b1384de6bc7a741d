import type { SqlCatalog } from '../../compiler/catalog.ts'
import type { DialectName, TableDialect } from '../../compiler/dialect.ts'
import { capabilitiesOf } from '../../connector-kit/capabilities.ts'
import type { DatabaseConnector } from '../../connector-kit/connector.ts'
import type { MirrorSource } from '../../connector-kit/mirror-source.ts'
import { type Fragment, ident, join, sql, statementOf } from '../../connector-kit/query-runner.ts'
import { InternalError } from '../../core/errors.ts'
import type { CacheColumn, CacheWriter } from '../../ports/cache-database.ts'
import type { Row } from '../../ports/rows.ts'
import { RELATION_CONTRACTS } from '../../relations/contracts.ts'
import { inlineColumns, type RelationContract } from '../../relations/define-relation.ts'

/** The condition of the rows of wanted customers, whose keys a table of `work` holds. */
export const WANTED_ROWS = 'customer_key in (select customer_key from work.wanted)'

/** The relation of the plans. Readers get it from the session, or from a table if a connector supplies it by SQL. */
export const PLAN = 'plan'

/** The table that holds the rows of a relation. */
export interface HeldTable {
  readonly relation: string
  readonly table: string
  readonly columns: readonly CacheColumn[]
}

/** Name of the column by which rows are replaced. Every held relation has it. */
export const CUSTOMER_KEY = 'customer_key'

/**
 * The tables of the relations that a database holds. The contracts mark them. The connector must have them in the dialect of this
 * database, and its source their rows.
 */
export function heldTables(
  connector: Pick<DatabaseConnector, 'capabilities'>,
  catalog: SqlCatalog,
  { keyType, straight = [] }: Pick<MirrorSource, 'keyType' | 'straight'>,
  dialect: DialectName,
): readonly HeldTable[] {
  const capabilityOf = capabilitiesOf(connector, catalog, dialect)
  const isHeld = ({ name, is_held }: RelationContract) =>
    is_held === true && capabilityOf(name) !== 'absent' && !straight.includes(name)
  return RELATION_CONTRACTS.filter(isHeld).map((contract) => {
    const columns = inlineColumns(contract, keyType)
    if (!columns.some(({ name }) => name === CUSTOMER_KEY))
      throw new InternalError(`the mirror holds ${contract.name}, which has no ${CUSTOMER_KEY}`)
    return { relation: contract.name, table: `cached_${contract.name}`, columns }
  })
}

/** The kinds of relations whose rows come from the billing database. */
const SUPPLIED: ReadonlySet<RelationContract['kind']> = new Set(['base', 'default', 'source'])

/**
 * Whether statements over these tables can read a relation: it is one of them, or it is made from others. The plans come from the session.
 */
export function isReadable(relation: string, held: readonly HeldTable[]): boolean {
  const kind = RELATION_CONTRACTS.find(({ name }) => name === relation)?.kind
  return kind === undefined || !SUPPLIED.has(kind) || relation === PLAN || held.some((each) => each.relation === relation)
}

/** The columns of each held relation, as `loadCatalog` takes tables. */
export function tablesByRelation(held: readonly HeldTable[]): ReadonlyMap<string, { table: string; columns: readonly string[] }> {
  return new Map(held.map(({ relation, table, columns }) => [relation, { table, columns: columns.map(({ name }) => name) }]))
}

/** Runs a statement over the mirror's tables. */
export function send(writer: CacheWriter, statement: Fragment): Promise<readonly Row[]> {
  return writer.query(statementOf(statement, writer.dialect, 'mirror'))
}

/** The statement that creates an empty table. `name` may name a database, as in `work.raw`. */
export function createTable(name: Fragment, columns: readonly CacheColumn[], { declaredType }: TableDialect): Fragment {
  const declared = columns.map((column) => sql`${ident(column.name)} ${declaredType(column.type)}`)
  return sql`create table ${name} (${join(declared, sql`, `)})`
}

/** A list of casts of columns to their types: `cast(name as varchar) as name, …`. */
export function castsOf(columns: readonly CacheColumn[], { declaredType }: TableDialect): Fragment {
  const casts = columns.map(({ name, type }) => sql`cast(${ident(name)} as ${declaredType(type)}) as ${ident(name)}`)
  return join(casts, sql`, `)
}
