import type { InlineRelation } from '../../../compiler/inline.ts'
import type { KeyType } from '../../../connector-kit/mirror-source.ts'
import { digits, type Fragment, fn, ident, join, sql, value } from '../../../connector-kit/query-runner.ts'
import { integerCell } from '../../../ports/cells.ts'
import type { Snapshot } from '../../../ports/snapshot.ts'
import { RELATION_CONTRACTS } from '../../../relations/contracts.ts'
import type { HeldTable } from '../../held/held-tables.ts'
import { type LakePlace, runIn, tableIn } from '../place.ts'
import type { LakeDatabase } from './database.ts'

/** Whole keys of one database lie below this number, so they need 40 bits. A thousand databases stay within the exact numbers of JavaScript. */
export const KEYS_OF_A_DATABASE = 1_000_000_000_000

type Numbered = Pick<LakeDatabase, 'name' | 'number'>

/** Texts other than keys that must differ between sources, by their relation. */
const SHARED_TEXTS: Readonly<Record<string, readonly string[]>> = {
  bundle_line: ['bundle_line'],
  customer_link: ['link_key'],
  ledger_charge: ['charge_id'],
  ledger_adjustment: ['adjustment_id', 'charge_id'],
  ledger_credit: ['credit_id'],
  ledger_payment: ['payment_id'],
  ledger_transfer: ['transfer_id'],
}

/** How a column is made unique among databases. */
type Rule = 'number' | 'prefix' | 'none'

function ruleOf(relation: string, column: string, keyType: KeyType): Rule {
  if (SHARED_TEXTS[relation]?.includes(column) === true) return 'prefix'
  const contract = RELATION_CONTRACTS.find(({ name }) => name === relation)
  if (contract?.columns.find(({ name }) => name === column)?.type !== 'key') return 'none'
  return keyType === 'integer' ? 'number' : 'prefix'
}

/** The columns of a held table, with keys that no other database has. */
export function uniqueCells({ relation, columns }: HeldTable, database: Numbered, keyType: KeyType): Fragment {
  const cells = columns.map(({ name }) => {
    const rule = ruleOf(relation, name, keyType)
    if (rule === 'number') return sql`${ident(name)} + ${digits(firstKey(database))} as ${ident(name)}`
    if (rule === 'prefix') return sql`concat(${value(prefixOf(database), 'text')}, ${fn('text', ident(name))}) as ${ident(name)}`
    return ident(name)
  })
  return join(cells, sql`, `)
}

/** A relation of the process, with keys that no other database has. */
export function uniqueRows(relation: InlineRelation, database: Numbered, keyType: KeyType): InlineRelation['rows'] {
  const rules = relation.columns.map(({ name }) => ruleOf(relation.name, name, keyType))
  return relation.rows.map((row) =>
    row.map((cell, index) => {
      const rule = rules[index]
      if (cell === null || rule === 'none' || rule === undefined) return cell
      return rule === 'number' ? firstKey(database) + Number(cell) : `${prefixOf(database)}${String(cell)}`
    }),
  )
}

/** The key in its own database of a unique key. Undefined: it is a key of another database. */
export function ownKey(key: string, database: Numbered, keyType: KeyType): string | undefined {
  // Records of the books have keys that are texts.
  if (key.startsWith(prefixOf(database))) return key.slice(prefixOf(database).length)
  if (keyType === 'text') return undefined
  const own = /^\d{1,16}$/.test(key) ? Number(key) - firstKey(database) : -1
  return own >= 0 && own < KEYS_OF_A_DATABASE ? String(own) : undefined
}

function firstKey({ number }: Numbered): number {
  return number * KEYS_OF_A_DATABASE
}

function prefixOf({ name }: Numbered): string {
  return `${name}/`
}

/** The tables of a database before their keys are unique. */
export interface KeyedTables {
  readonly place: LakePlace
  readonly keyType: KeyType
  readonly held: readonly HeldTable[]
  readonly tableFor: (relation: string) => string
}

/** Whole keys of a database that leave no room for the keys of the others, by column. Empty if all fit. */
export async function keyFaults(snapshot: Snapshot, { name }: LakeDatabase, tables: KeyedTables): Promise<readonly string[]> {
  const { place, keyType, held, tableFor } = tables
  const counts = held.flatMap(({ relation, columns }) => {
    const keys = columns.filter((column) => ruleOf(relation, column.name, keyType) === 'number')
    return keys.map(
      (key) => sql`select ${value(relation, 'text')} as relation, ${value(key.name, 'text')} as key_column, count(*) as entries
from ${tableIn(place, tableFor(relation))} where ${ident(key.name)} not between 0 and ${digits(KEYS_OF_A_DATABASE - 1)}`,
    )
  })
  if (counts.length === 0) return []
  const rows = await runIn(snapshot, 'keys', join(counts, sql`\nunion all\n`))
  return rows
    .filter((row) => integerCell(row, 'entries') > 0)
    .map(
      (row) =>
        `${name}: ${row['entries']} values of ${row['key_column']} in ${row['relation']} are not between 0 and 10^12, so the keys of several databases would not differ`,
    )
}
