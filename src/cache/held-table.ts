import { type Fragment, ident, join, sql } from '../compiler/fragment.ts'
import type { ColumnType, InlineColumn } from '../compiler/inline.ts'
import { InternalError } from '../core/errors.ts'
import { bundleLine } from '../relations/bundle-line.ts'
import { RELATION_CONTRACTS } from '../relations/contracts.ts'

/** The table in which the cache keeps a relation; sql/cached reads it. */
export interface HeldTable {
  readonly relation: string
  readonly name: string
  readonly columns: readonly InlineColumn[]
}

const CUSTOMER_KEY: InlineColumn = { name: 'customer_key', type: 'integer' }

/** Accounts with the instants between which their rows are right. */
export const ACCOUNTS: HeldTable = {
  relation: 'account',
  name: 'cached_account',
  columns: [CUSTOMER_KEY, { name: 'valid_from', type: 'timestamp' }, { name: 'valid_to', type: 'timestamp' }],
}

/** What the base amounts of a movement are made of: a component before and after, both components of the side that D61 names. */
const MOVEMENT_SIDES: readonly InlineColumn[] = ['before', 'after', 'named_subscription', 'named_usage'].flatMap(
  (side): InlineColumn[] => [
    { name: `${side}_cents`, type: 'integer' },
    { name: `${side}_fixed_on`, type: 'date' },
  ],
)

/** Columns of the contract without base amounts, which follow the rates and are worked out when asked for; always with the account. */
export function heldTable(relation: string): HeldTable {
  const contract = [...RELATION_CONTRACTS, bundleLine].find(({ name }) => name === relation)
  if (contract === undefined) throw new InternalError(`the cache cannot hold ${relation}`)
  const kept = contract.columns
    .filter(({ name }) => !name.endsWith('_base_cents'))
    .map(({ name, type }): InlineColumn => ({ name, type }))
  const columns = relation === 'mrr_movement' ? [...kept, ...MOVEMENT_SIDES] : kept
  const hasAccount = columns.some(({ name }) => name === CUSTOMER_KEY.name)
  return { relation, name: `cached_${relation}`, columns: hasAccount ? columns : [CUSTOMER_KEY, ...columns] }
}

/** Makes the empty table. */
export function createTable({ name, columns }: HeldTable): Fragment {
  const declared = columns.map((column) => sql`${ident(column.name)} ${TYPES[column.type]}`)
  return sql`create table ${ident(name)} (${join(declared, sql`, `)})`
}

const TYPES: Readonly<Record<ColumnType, Fragment>> = {
  text: sql`varchar`,
  integer: sql`bigint`,
  decimal: sql`decimal(38, 12)`,
  timestamp: sql`timestamp`,
  date: sql`date`,
  boolean: sql`boolean`,
}
