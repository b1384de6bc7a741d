import {
  digits,
  type Fragment,
  ident,
  join,
  parseInteger,
  type QueryRunner,
  sql,
  text,
  textList,
  value,
} from '../../../src/connector-kit/query-runner.ts'
import { type DocumentTable, documentOf, idIn, ofAccounts, type ReturnTable, type Scope, syncedAt } from '../documents.ts'
import { knowsRefunds, NEEDED } from '../expanded/refunds.ts'

/** Number of groups into which the rows of a table fall, by the hash of their id. */
export const GROUPS = 4_096
const BYTES = 8

/** Tables whose documents name their customer, and which every mirror has. */
const OWNED = ['customers', 'subscriptions', 'invoices'] as const satisfies readonly DocumentTable[]
/** Tables whose rows belong to all customers. */
const SHARED = ['prices', 'products'] as const satisfies readonly DocumentTable[]

/** Tables whose rows belong to customers: their documents name them, or lead to them. */
export type OwnedTable = (typeof OWNED)[number] | ReturnTable

/** The tables of a scope whose rows belong to customers. */
export function ownedTables(scope: Scope): readonly OwnedTable[] {
  return knowsRefunds(scope) ? [...OWNED, ...scope.returns] : OWNED
}

/** The rows of one table by group, modulo 2^64, as base64: how many there are, which ones, and in which state. */
export interface GroupSums {
  readonly counts: string
  readonly ids: string
  readonly states: string
}

/** Tables of which the role may see the transaction that wrote a row. Of the others the whole documents are compared. */
export async function readTracked(run: QueryRunner, scope: Scope): Promise<ReadonlySet<string>> {
  const rows = await run(
    'stripe.tracked',
    sql`select relation.relname as table_name
      from pg_catalog.pg_class as relation join pg_catalog.pg_attribute as attribute on attribute.attrelid = relation.oid
      where relation.relnamespace = (select namespace.oid from pg_catalog.pg_namespace as namespace where namespace.nspname = current_schema())
        and relation.relname in (${textList([...ownedTables(scope), ...SHARED])}) and relation.relkind = 'r'
        and attribute.attname = 'xmin' and has_column_privilege(relation.oid, attribute.attnum, 'select')`,
  )
  return new Set(rows.map((row) => text(row['table_name'])))
}

const idHash = sql`hashtextextended(t.id, 0)`
const group = sql`hashtext(t.id) & ${digits(GROUPS - 1)}`

/** A number that changes with each save of a row `t`. Without the transaction, it comes from the document and the instant of its event. */
function stateHash(table: string, scope: Scope, tracked: ReadonlySet<string>): Fragment {
  const seed = tracked.has(table)
    ? sql`cast(cast(t.xmin as text) as bigint)`
    : sql`hashtextextended(concat(cast(${documentOf(scope)} as text), cast(${syncedAt(scope)} as text)), 0)`
  return sql`hashtextextended(t.id, ${seed})`
}

/** The rows of the accounts. Their mode is in the document, which is not read. Of charges only those count for which money went back. */
export function rowsOf(table: DocumentTable, scope: Scope): Fragment {
  const charged = NEEDED.map((one) => sql`select ${idIn(sql`${documentOf(scope)} -> 'charge'`)} from ${ident(one)} as t`)
  const counts = table === 'charges' ? sql`t.id in (${join(charged, sql` union all `)})` : sql`1 = 1`
  return sql`${ident(table)} as t where ${ofAccounts(scope)} and ${counts}`
}

/** The state of each table as one text. The database reads all rows, and no document. */
export async function readTotals(
  run: QueryRunner,
  scope: Scope,
  tracked: ReadonlySet<string>,
  hasRuns: boolean,
): Promise<Readonly<Record<string, string>>> {
  const selects = [...ownedTables(scope), ...SHARED].map(
    (table) => sql`select ${value(table, 'text')} as part, count(*) as entries,
      coalesce(sum(${stateHash(table, scope, tracked)}), 0) as total from ${rowsOf(table, scope)}`,
  )
  const runs = sql`select '_sync_runs', count(*), coalesce(extract(epoch from max(t.closed_at)), 0) from _sync_runs as t`
  const rows = await run('stripe.changes', join(hasRuns ? [...selects, runs] : selects, sql` union all `))
  return Object.fromEntries(rows.map((row) => [text(row['part']), `${String(row['entries'])} ${String(row['total'])}`]))
}

/** The sums of each group of a table. */
export async function readGroups(
  run: QueryRunner,
  table: OwnedTable,
  scope: Scope,
  tracked: ReadonlySet<string>,
): Promise<GroupSums> {
  const rows = await run(
    'stripe.changes.groups',
    sql`select ${group} as id_group, count(*) as entries, sum(${idHash}) as ids, sum(${stateHash(table, scope, tracked)}) as states
      from ${rowsOf(table, scope)} group by 1`,
  )
  const packed = {
    entries: Buffer.alloc(GROUPS * BYTES),
    ids: Buffer.alloc(GROUPS * BYTES),
    states: Buffer.alloc(GROUPS * BYTES),
  }
  for (const row of rows) {
    const place = parseInteger(row['id_group'] ?? 0) * BYTES
    for (const name of ['entries', 'ids', 'states'] as const)
      packed[name].writeBigUInt64LE(BigInt.asUintN(64, BigInt(String(row[name]))), place)
  }
  return {
    counts: packed.entries.toString('base64'),
    ids: packed.ids.toString('base64'),
    states: packed.states.toString('base64'),
  }
}

/** A group of which a row has changed, is new, or is gone. */
export interface ChangedGroup {
  readonly group: number
  /** The number of rows that there are more than before. */
  readonly more: number
  /** The growth of the sum of the hashes of the ids, modulo 2^64. */
  readonly grown: bigint
}

/** The groups whose sums differ. */
export function changedGroups(before: GroupSums, now: GroupSums): readonly ChangedGroup[] {
  const unpack = (sums: string) => Buffer.from(sums, 'base64')
  const [oldStates, states] = [unpack(before.states), unpack(now.states)]
  const [oldIds, ids] = [unpack(before.ids), unpack(now.ids)]
  const [oldCounts, counts] = [unpack(before.counts), unpack(now.counts)]
  const at = (sums: Buffer, place: number) => sums.readBigUInt64LE(place * BYTES)
  return Array.from({ length: GROUPS }, (_, place) => place).flatMap((place) => {
    const isSame = at(oldStates, place) === at(states, place) && at(oldCounts, place) === at(counts, place)
    if (isSame) return []
    const more = Number(at(counts, place)) - Number(at(oldCounts, place))
    return [{ group: place, more, grown: BigInt.asUintN(64, at(ids, place) - at(oldIds, place)) }]
  })
}

/** The condition that the id of a row `t` falls in one of the groups. */
export function inGroups(groups: readonly ChangedGroup[]): Fragment {
  return sql`${group} in (${join(
    groups.map((changed) => digits(changed.group)),
    sql`, `,
  )})`
}

/** The hash of the id of a row `t`, and its group, for `hasAllRows`. */
export const idColumns = sql`${idHash} as id_hash, ${group} as id_group`

/**
 * True if every row that a group had before is still there. Of the rows of now, as many as came must have ids whose hashes add up to the growth. More
 * than two new rows in one group come from a bulk load, after which the cache is filled again anyway.
 */
export function hasAllRows({ more, grown }: ChangedGroup, hashes: readonly bigint[]): boolean {
  const own = hashes.map((hash) => BigInt.asUintN(64, hash))
  if (more === 0) return grown === 0n
  if (more === 1) return own.includes(grown)
  if (more !== 2) return false
  const places = new Map(own.map((hash, place) => [hash, place]))
  return own.some((hash, place) => {
    const other = places.get(BigInt.asUintN(64, grown - hash))
    return other !== undefined && other !== place
  })
}
