import type { SqlCatalog } from '../../compiler/catalog.ts'
import { compileFragment } from '../../compiler/compile.ts'
import type { TableDialect } from '../../compiler/dialect.ts'
import { relation } from '../../compiler/fragment.ts'
import type { InlineRelation } from '../../compiler/inline.ts'
import type { Statement } from '../../compiler/statement.ts'
import type { KeyType, RawTable } from '../../connector-kit/mirror-source.ts'
import { digits, type Fragment, ident, join, sql, statementOf } from '../../connector-kit/query-runner.ts'
import type { CacheColumn } from '../../ports/cache-database.ts'
import { RELATION_CONTRACTS } from '../../relations/contracts.ts'
import { inlineColumns } from '../../relations/define-relation.ts'
import { CUSTOMER_KEY, castsOf, type HeldTable } from '../held/held-tables.ts'
import { type Plan, type Step, stepTable } from '../held/steps.ts'
import type { Pins } from './pins.ts'
import { type LakePlace, nameIn, tableIn } from './place.ts'
import { names, withTables } from './with-tables.ts'

/** Rows of a held table in one bucket. */
const BUCKET_ROWS = 5_000_000
/** Characters of rows that a statement may have. A statement has at most a million. */
const MOST_CHARACTERS = 400_000

/** The tables of one publication. */
export interface PublishedTables {
  readonly place: LakePlace
  /** Begins the name of each of its tables. */
  readonly id: string
  readonly dialect: TableDialect
  readonly keyType: KeyType
  readonly held: readonly HeldTable[]
}

/** A statement that makes a table. */
export interface TableStatement {
  /** The name, without its schema. */
  readonly table: string
  readonly statement: Statement
}

/** A step as a table, and the other steps of its plan that it reads. */
export interface StepStatement extends TableStatement {
  readonly after: readonly string[]
}

/** The name of a table of a publication. */
export function tableOf(id: string, kind: 'raw' | 'held' | 'opening', name?: string): string {
  return name === undefined ? `${id}_${kind}` : `${id}_${kind}_${name}`
}

/** The table of a step or of an inline relation. A held relation has the table that its readers know. */
export function placedTable({ id, held }: Pick<PublishedTables, 'id' | 'held'>, table: string): string {
  const relation = held.find((each) => stepTable(each.relation) === table)?.relation
  return relation === undefined ? `${id}_${table}` : tableOf(id, 'held', relation)
}

/** The copy of a raw table. */
export interface RawStatement extends TableStatement {
  /** Counts the rows of which it is a copy. Undefined: some of them may have changed since, because their table has no Iceberg snapshot. */
  readonly count: Statement | undefined
}

/** Creates the copy of a raw table, with exactly the columns and rows that the relations read. `pins` has the rows of the billing tables. */
export function rawStatement(raw: RawTable, pins: Pick<Pins, 'rows' | 'versions'>, tables: PublishedTables): RawStatement {
  const label = `lake.raw.${raw.name}`
  const own = statementOf(raw.select('all'), tables.dialect, label)
  const rows = withTables(own, pins.rows)
  const isPinned = Object.entries(pins.versions).every(([name, version]) => version !== null || !names(own.text, name))
  const count = { ...rows, label: `lake.count.${raw.name}`, text: `select count(*) as entries from (\n${rows.text}\n) as source` }
  return { ...createFrom(tableOf(tables.id, 'raw', raw.name), raw.columns, rows, tables), count: isPinned ? count : undefined }
}

/** Creates the tables of the steps, in the order of the plan. `rows` estimates the rows of a held table. */
export function stepStatements(
  plan: Plan,
  raw: readonly RawTable[],
  tables: PublishedTables,
  rows: number,
): readonly StepStatement[] {
  const copies = new Map(raw.map(({ name }) => [name, `select * from ${nameIn(tables.place, tableOf(tables.id, 'raw', name))}`]))
  const made: StepStatement[] = []
  for (const step of plan.steps) {
    const table = placedTable(tables, stepTable(step.relation))
    const columns = columnsOf(step, tables.keyType)
    const isHeld = tables.held.some(({ relation }) => relation === step.relation)
    const created = createFrom(table, columns, withTables(step.rows, copies), tables, isHeld ? rows : 1)
    made.push({ ...created, after: made.flatMap((other) => (names(step.rows.text, other.table) ? other.table : [])) })
  }
  return made
}

function columnsOf({ relation }: Step, keyType: KeyType): readonly CacheColumn[] | undefined {
  const contract = RELATION_CONTRACTS.find(({ name }) => name === relation)
  return contract && inlineColumns(contract, keyType)
}

/** Creates a table of these rows. The columns have their declared types: one that is always null would have none. */
export function createFrom(
  table: string,
  columns: readonly CacheColumn[] | undefined,
  rows: Statement,
  { place, dialect }: Pick<PublishedTables, 'place' | 'dialect'>,
  entries = 1,
): TableStatement {
  const buckets = Math.ceil(entries / BUCKET_ROWS)
  const cells = columns === undefined ? sql`*` : castsOf(columns, dialect)
  const isSpread = buckets > 1 && columns?.some(({ name }) => name === CUSTOMER_KEY) === true
  const spread = isSpread ? sql` with (partitioning = array['bucket(${ident(CUSTOMER_KEY)}, ${digits(buckets)})'])` : sql``
  const head = statementOf(sql`create table ${tableIn(place, table)}${spread} as select ${cells} from`, dialect, rows.label)
  return { table, statement: { ...rows, text: `${head.text} (\n${rows.text}\n) as made` } }
}

/** Nothing but the rows of the statement itself. */
const NO_RELATIONS: SqlCatalog = {
  query: () => {
    throw new Error('a statement of a publication is no query of a metric')
  },
  relation: () => undefined,
  queries: () => [],
  relations: () => [],
}

/** Creates the table of rows that the process has. Each statement holds a part of them. */
export function inlineStatements(
  table: string,
  { name, columns, rows }: InlineRelation,
  { place, dialect }: Pick<PublishedTables, 'place' | 'dialect'>,
): readonly Statement[] {
  const target = tableIn(place, table)
  const cells = columns.map(
    (column) => sql`cast(r.${ident(column.name)} as ${dialect.declaredType(column.type)}) as ${ident(column.name)}`,
  )
  const statements: Statement[] = []
  for (const part of partsOf(rows)) {
    const verb: Fragment = statements.length === 0 ? sql`create table ${target} as` : sql`insert into ${target}`
    statements.push(
      compileFragment({
        fragment: sql`${verb} select ${join(cells, sql`, `)} from ${relation('written')} as r`,
        catalog: NO_RELATIONS,
        inline: new Map([['written', { name: 'written', columns, rows: part }]]),
        params: {},
        dialect,
        label: `lake.inline.${name} ${dialect.name}`,
      }),
    )
  }
  return statements
}

function partsOf(rows: InlineRelation['rows']): readonly InlineRelation['rows'][] {
  const parts: InlineRelation['rows'][number][][] = [[]]
  let size = 0
  for (const row of rows) {
    const length = JSON.stringify(row).length
    if (size > 0 && size + length > MOST_CHARACTERS) {
      parts.push([])
      size = 0
    }
    parts.at(-1)?.push(row)
    size += length
  }
  return parts
}
