import { digits, join, parseInteger, type QueryRunner, sql, text, value } from '../../../src/connector-kit/query-runner.ts'
import { type Part, saveOf } from './parts.ts'

/** Number of groups into which the owners of rows fall, by the hash of their id. A change touches all customers of a group. */
export const GROUPS = 4_096
const BYTES = 8

/** The state of the watched rows, as JSON: for each part the sum of the digests of its rows, and the same sum for each group of owners. */
export interface Digests {
  /** By part. The text also names the way in which saves are seen. */
  readonly totals: Readonly<Record<string, string>>
  /** By part: the sums of all groups, modulo 2^64, as base64. */
  readonly groups: Readonly<Record<string, string>>
}

/** The digest of a row: another one after each save, and for each owner. */
const digestOf = (part: Part, tracked: ReadonlySet<string>) => sql`uuid_hash_extended(${part.id}, ${saveOf(part, tracked)})`

/** Reads the sum of all digests of each part. The database reads all rows, and sends one for each part. */
export async function readTotals(
  run: QueryRunner,
  parts: readonly Part[],
  tracked: ReadonlySet<string>,
): Promise<Digests['totals']> {
  const selects = parts.map(
    (part) =>
      sql`select ${value(part.name, 'text')} as part, count(*) as entries, coalesce(sum(${digestOf(part, tracked)}), 0) as total from ${part.rows}`,
  )
  const rows = await run('lago.changes', join(selects, sql` union all `))
  const found = new Map(rows.map((row) => [text(row['part']), `${String(row['entries'])} ${String(row['total'])}`]))
  return Object.fromEntries(
    parts.map(({ name, table }) => [name, `${found.get(name)} ${tracked.has(table) ? 'transactions' : 'instants'}`]),
  )
}

/** Reads the sums of each group of some parts. */
export async function readGroups(
  run: QueryRunner,
  parts: readonly Part[],
  tracked: ReadonlySet<string>,
): Promise<Digests['groups']> {
  if (parts.length === 0) return {}
  const selects = parts.map(
    (part) => sql`select ${value(part.name, 'text')} as part, uuid_hash(${part.id}) & ${digits(GROUPS - 1)} as owner_group,
  sum(${digestOf(part, tracked)}) as total from ${part.rows} group by uuid_hash(${part.id}) & ${digits(GROUPS - 1)}`,
  )
  const rows = await run('lago.changes.groups', join(selects, sql` union all `))
  const packed = new Map(parts.map(({ name }) => [name, Buffer.alloc(GROUPS * BYTES)]))
  for (const row of rows) {
    if (row['owner_group'] === null) continue
    const sums = packed.get(text(row['part']))
    sums?.writeBigUInt64LE(BigInt.asUintN(64, BigInt(String(row['total']))), parseInteger(row['owner_group'] ?? 0) * BYTES)
  }
  return Object.fromEntries([...packed].map(([name, sums]) => [name, sums.toString('base64')]))
}

/** The groups whose sums differ. */
export function changedGroups(before: string, now: string): readonly number[] {
  const [old, fresh] = [Buffer.from(before, 'base64'), Buffer.from(now, 'base64')]
  return Array.from({ length: GROUPS }, (_, group) => group).filter(
    (group) => old.readBigUInt64LE(group * BYTES) !== fresh.readBigUInt64LE(group * BYTES),
  )
}
