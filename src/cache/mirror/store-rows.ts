import type { Statement } from '../../compiler/statement.ts'
import { customersIn } from '../../connector-kit/mirror-source.ts'
import { type Fragment, ident, sql, statementOf, value } from '../../connector-kit/query-runner.ts'
import { sqlNow } from '../../core/periods.ts'
import type { CacheColumn, CacheWriter } from '../../ports/cache-database.ts'
import type { Row } from '../../ports/rows.ts'
import { CUSTOMER_KEY, type HeldTable, send } from '../held/held-tables.ts'
import { type Step, stepTable } from '../held/steps.ts'
import { CONTENT, CONTENT_COLUMNS } from './content.ts'
import { HORIZON, horizonColumns, type MirrorTables, readValidity } from './mirror-tables.ts'
import { writeState } from './state.ts'
import { WANTED, type WorkArea } from './work-area.ts'

/** The relation of the instants at which rows change by themselves. */
export const CHANGES = 'change_instant'

/** Customers whose rows are stored. `others` are all other customers whose raw rows were read. Absent: it is not known. */
interface WantedCustomers {
  readonly keys: readonly string[]
  readonly areNew: boolean
  readonly others?: readonly string[]
}

/** Made rows to store: those of all customers in empty tables, of new customers, or of customers whose rows they replace. */
export interface Made {
  readonly work: WorkArea
  readonly steps: readonly Step[]
  readonly customers: 'all' | WantedCustomers
  /** Relations whose rows are stored already. */
  readonly except?: string
}

/**
 * The first instant after now in rows that were stored. Null: they have none. Undefined: it is not known, because the rows went from table
 * to table.
 */
export type FirstLater = string | null | undefined

/**
 * Stores made rows, their horizons and the marks. Without `marks`, more rows follow. Rows that replace others come in one transaction. Those
 * of a filling come table by table, because DuckDB holds them in memory until their transaction ends, and nothing reads half a filling.
 */
export async function storeRows(
  tables: MirrorTables,
  writer: CacheWriter,
  made: Made,
  { now, marks }: { readonly now: Date; readonly marks?: unknown },
): Promise<FirstLater> {
  const { work, steps, customers, except } = made
  const areWanted = customers !== 'all'
  const condition = conditionOf(customers, tables, writer)
  const held = tables.held.filter(({ relation }) => relation !== except)
  // A transaction writes to one database only, so the keys come before it.
  if (areWanted) await work.want(customers.keys)
  let later: FirstLater
  const isFilling = !areWanted || customers.areNew
  const store = async () => {
    if (areWanted && !isFilling) await removeRows(tables, writer, work, customers.keys)
    const stored = held.flatMap((table) => {
      const step = steps.find(({ relation }) => relation === table.relation)
      return step === undefined || !work.mayHaveRows(step) ? [] : [{ ...table, rows: rowsOf(step, table.columns, condition) }]
    })
    const horizon = statementOf(horizonOf(now, !areWanted), writer.dialect, 'mirror')
    const columns = horizonColumns(tables.source.keyType)
    const content = tables.source.content === undefined ? undefined : contentOf(condition, writer)
    if (work.isApart) {
      later = null
      for (const { table, columns, rows } of stored) {
        const found = await work.query(rows)
        if (found.length > 0) await writer.append(table, columns, found)
        later = earlier(later, firstAfter(sqlNow(now), found, columns))
      }
      await writer.append(HORIZON, columns, await work.query(horizon))
      if (content !== undefined) await writer.append(CONTENT, CONTENT_COLUMNS, await work.query(content.rows))
    } else
      for (const each of [...stored, { table: HORIZON, columns, rows: horizon }, ...(content === undefined ? [] : [content])])
        await writer.query(insertion(each))
    if (marks !== undefined) await writeState(writer, 'marks', marks)
    return readValidity(writer)
  }
  tables.validity = await (isFilling ? store() : writer.transaction(store))
  if (areWanted && !isFilling) for (const key of customers.keys) tables.replaced.add(key)
  if (marks !== undefined) tables.marks = marks
  return later
}

/** Stores the marks of a look that has changed no rows. */
export async function storeMarks(tables: MirrorTables, writer: CacheWriter, marks: unknown): Promise<void> {
  await writer.transaction(() => writeState(writer, 'marks', marks))
  tables.marks = marks
}

/** Removes the rows and the horizons of customers. */
async function removeRows(
  { held, source }: MirrorTables,
  writer: CacheWriter,
  work: WorkArea,
  keys: readonly string[],
): Promise<void> {
  // The keys in a scratch database are not at hand here. They are few, so the statement lists them.
  const areTheirs = work.isApart
    ? customersIn(ident(CUSTOMER_KEY), { keys }, source.keyType)
    : sql`customer_key in (select customer_key from ${WANTED})`
  for (const name of [HORIZON, ...(source.content === undefined ? [] : [CONTENT]), ...held.map(({ table }) => table)])
    await send(writer, sql`delete from ${ident(name)} where ${areTheirs}`)
}

/** Number of other customers up to which a statement lists them. */
const FEW_OTHERS = 1_000

/** The condition that leaves out other customers: a list of few, because a join would collect all rows of a bucket first. */
function conditionOf(customers: Made['customers'], { source }: MirrorTables, { dialect }: CacheWriter): string {
  if (customers === 'all' || customers.others?.length === 0) return ''
  const { others } = customers
  if (others === undefined || others.length > FEW_OTHERS || source.keyType === 'text')
    return ' where made.customer_key in (select customer_key from work.wanted)'
  const are = customersIn(sql`made.customer_key`, { keys: others }, source.keyType)
  return ` where not ${statementOf(are, dialect, 'mirror').text}`
}

/** The rows of a step with these columns, from its table or from its statement. */
function rowsOf({ table, rows }: Step, columns: readonly CacheColumn[], condition: string): Statement {
  const names = columns.map(({ name }) => name).join(', ')
  const from = table === undefined ? `(\n${rows.text}\n)` : `work.${table}`
  const values = table === undefined ? rows.values : []
  return { ...rows, values, text: `select ${names} from ${from} as made${condition}` }
}

/** The digests of the customers, which have been read with their raw rows. */
function contentOf(condition: string, { dialect }: CacheWriter) {
  const rows = statementOf(sql`select customer_key, digest from work.account_content as made`, dialect, 'mirror')
  return { table: CONTENT, columns: CONTENT_COLUMNS, rows: { ...rows, text: `${rows.text}${condition}` } }
}

function insertion({ table, columns, rows }: Pick<HeldTable, 'table' | 'columns'> & { readonly rows: Statement }): Statement {
  return { ...rows, text: `insert into ${table} (${columns.map(({ name }) => name).join(', ')}) ${rows.text}` }
}

/** The first instant after `at` in the rows. Null if they have none. Instants are text, in the order of time. */
function firstAfter(at: string, rows: readonly Row[], columns: readonly CacheColumn[]): string | null {
  const instants = columns.filter(({ type }) => type === 'timestamp').map(({ name }) => name)
  let first: string | null = null
  for (const row of rows)
    for (const name of instants) {
      const instant = row[name]
      if (typeof instant === 'string' && instant > at) first = earlier(first, instant)
    }
  return first
}

/** The earlier one of two instants. Null is later than all. */
export function earlier(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b
  return a < b ? a : b
}

/** The horizons of the customers: the last change at or before now, and the first change after now. */
function horizonOf(now: Date, isAll: boolean): Fragment {
  const instant = value(sqlNow(now), 'timestamp')
  const changes = sql`work.${ident(stepTable(CHANGES))}`
  const wanted = isAll ? sql`(select distinct customer_key from ${changes})` : WANTED
  return sql`select wanted.customer_key,
  coalesce(max(case when change.changes_at <= ${instant} then change.changes_at end), timestamp '0001-01-01 00:00:00') as valid_from,
  min(case when change.changes_at > ${instant} then change.changes_at end) as valid_to
from ${wanted} as wanted
left join ${changes} as change on change.customer_key = wanted.customer_key
group by wanted.customer_key`
}
