import type { InlineRelation } from '../compiler/inline.ts'
import { groupBy } from '../core/group-by.ts'
import type { FeedRequest } from '../ports/read-through.ts'
import type { Row } from '../ports/rows.ts'
import type { ConnectorSession } from '../ports/session.ts'
import type { Snapshot } from '../ports/snapshot.ts'
import { digits, type Fragment, fn, ident, join, sql, text, textList, value } from './query-runner.ts'

/**
 * Customers whose rows are wanted: all, or those with one of these keys, or with a key from `from` to `through`. Keys are the text of
 * `customer_key`. Only integer keys have ranges. `rows`: the keys of their rows, if the source has `rowKeys`.
 */
export type Customers = 'all' | { readonly keys: readonly string[]; readonly range?: KeyRange; readonly rows?: RowKeys }

/** Keys of rows by table of the engine. A table without any may be absent. */
export type RowKeys = Readonly<Record<string, readonly string[]>>

/** The keys in rows of `table_name` and `row_key`, as `MirrorSource.rowKeys` selects them. */
export function rowKeysIn(rows: readonly Row[]): RowKeys {
  const tables = [...groupBy(rows, (row) => text(row['table_name']))]
  return Object.fromEntries(tables.map(([table, own]) => [table, own.map((row) => text(row['row_key']))]))
}

/** Integer keys, both ends included. */
export interface KeyRange {
  readonly from: string
  readonly through: string
}

export type KeyType = 'integer' | 'text'

/** The type of a column of a raw table. Decimals have precision and scale, at most 38 digits. */
export type RawType =
  | 'text'
  | 'integer'
  | 'boolean'
  | 'timestamp'
  | 'date'
  | { readonly precision: number; readonly scale: number }

/** The kind of the values in a column. */
export type ColumnKind = Extract<RawType, string> | 'decimal'

/** The columns of the engine's own tables. Tools that copy them may change types. */
export interface EngineColumns {
  /** The tables that a publication may read. */
  readonly tables: readonly string[]
  /** The kind of the values in a column (`table.column`). Undefined: publications do not read it. */
  kindOf(name: string): ColumnKind | undefined
  /** The column that differs in each row of every table that has it. */
  readonly key: string
}

/** A table of the billing database whose rows the connector's relations read. */
export interface RawTable {
  /** The name under which the relations read it. */
  readonly name: string
  readonly columns: readonly { readonly name: string; readonly type: RawType }[]
  /**
   * The rows of these customers that a relation can read, with exactly the columns above, in their order. Rows that belong to no
   * customer (tenants, names of tags) come for any customers.
   */
  select(customers: Customers): Fragment
}

/** Why the rows can only be right after a new filling. */
export interface RefillCause {
  /** A short word for counters and alerts: `database_replaced`. */
  readonly reason: string
  /** The end of a sentence: `customers have been deleted`. */
  readonly text: string
}

/** The state of a snapshot, compared with the marks of an earlier look. */
export interface Look {
  /** The session of the requests. It no longer needs the snapshot. */
  readonly session: ConnectorSession
  /**
   * `none`: rows and session are those of the marks. `customers`: the rows of `customers` may have changed, or the session has. Held
   * customers that no longer exist are among `customers`.
   * `refill`: any row may have changed: other tenants, another schema or calendar, or rows seen before are gone. The first look,
   * without marks, is a `refill`.
   */
  readonly extent: 'none' | 'customers' | 'refill'
  readonly customers: readonly string[]
  /** The cause of a refill after an earlier look. */
  readonly cause?: RefillCause | undefined
  /** The marks for the next look, as JSON. They are stored in the transaction that stores the rows. */
  readonly marks: unknown
}

/** Reads the keys of all customers whose rows the mirror holds. */
export type HeldCustomers = () => Promise<readonly string[]>

/** The source of a mirror: the raw rows that the connector's relations read, and what has changed since the last look. */
export interface MirrorSource {
  readonly keyType: KeyType
  tables(session: ConnectorSession): readonly RawTable[]
  /**
   * Compares a snapshot with earlier marks. Everything committed since then counts, including rows with a lower number that were
   * committed later. If the caller does not store the rows, it looks again with the old marks: nothing but the marks may decide.
   * `held` reads the customers whose rows belong to the marks. It tells which of them no longer exist.
   */
  look(snapshot: Snapshot, request: FeedRequest, marks: unknown, held: HeldCustomers): Promise<Look>
  /**
   * For changes that `look` cannot see, such as rows that somebody edits or deletes by hand: a table with a row for each customer, of columns
   * `customer_key` and `digest`, both integers. Keys must be integers. `dialect` is that of the snapshot. Absent: `look` sees every change.
   */
  content?(session: ConnectorSession, dialect: string): RawTable
  /**
   * For an engine with keys of customers that are texts, whose tables have an index on their own key and none on the customer: a table of the texts
   * `customer_key`, `table_name` and `row_key`.
   * It is read once for a filling or a refresh, so that the raw tables need not search all rows for some customers.
   */
  rowKeys?(session: ConnectorSession): RawTable | undefined
  /** Relations that a cache does not hold, because `tables` lack rows that they read. The billing database answers from them. */
  readonly straight?: readonly string[]
  /** The engine's columns. With them, publications read copies whose types, names and rows a tool has changed. */
  readonly columns?: EngineColumns
}

/** The condition that a column holds the key of one of these customers. */
export function customersIn(column: Fragment, customers: Customers, keyType: KeyType): Fragment {
  if (customers === 'all') return sql`1 = 1`
  const { keys, range } = customers
  const inRange =
    range === undefined
      ? undefined
      : sql`${column} between ${value(Number(range.from), 'integer')} and ${value(Number(range.through), 'integer')}`
  if (keys.length === 0) return inRange ?? sql`1 = 0`
  // Whole numbers are written as digits: a list of thousands of values would exceed limits of the servers.
  const list =
    keyType === 'integer'
      ? join(
          keys.map((key) => digits(Number(key))),
          sql`, `,
        )
      : textList(keys)
  const inKeys = sql`${column} in (${list})`
  return inRange === undefined ? inKeys : sql`(${inRange} or ${inKeys})`
}

/** A table of the billing database whose rows each name their customer. */
export interface CustomerTable {
  readonly name: string
  /** The column that holds the key of the customer. */
  readonly customer: string
  readonly columns: Readonly<Record<string, RawType>>
}

/** The raw tables that copy these columns. The type `text` also fits UUIDs, which are copied as text. */
export function customerTables(keyType: KeyType, tables: readonly CustomerTable[]): readonly RawTable[] {
  return tables.map(({ name, customer, columns }) => {
    const key = sql`t.${ident(customer)}`
    const cells = Object.entries(columns).map(([column, type]) => {
      const cell = sql`t.${ident(column)}`
      return type === 'text' ? sql`${fn('text', cell)} as ${ident(column)}` : cell
    })
    return {
      name,
      columns: Object.entries(columns).map(([column, type]) => ({ name: column, type })),
      select: (customers) => sql`select ${join(cells, sql`, `)} from ${ident(name)} as t
where ${customersIn(keyType === 'text' ? fn('text', key) : key, customers, keyType)}`,
    }
  })
}

/** The raw tables of expanded relations. */
const expanded = new WeakMap<InlineRelation, RawTable>()

/**
 * The rows of a raw table as a relation of the session: what the engine keeps in documents, expanded by a statement in its own dialect. Relations that
 * read it stay neutral: the billing database runs the statement, and a cache reads its raw table of this name.
 */
export function expandedRelation(table: RawTable): InlineRelation {
  const columns = table.columns.map(({ name, type }) => ({ name, type: typeof type === 'string' ? type : ('decimal' as const) }))
  const relation = { name: table.name, columns, rows: [], select: table.select('all') }
  expanded.set(relation, table)
  return relation
}

/** The raw tables of the expanded relations of a session. */
export function expandedTables({ inline }: Pick<ConnectorSession, 'inline'>): readonly RawTable[] {
  return [...inline.values()].flatMap((relation) => expanded.get(relation) ?? [])
}
