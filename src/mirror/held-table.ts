import { type Fragment, ident, join, sql } from '../compiler/fragment.ts'
import type { ColumnType, InlineColumn } from '../compiler/inline.ts'
import { InternalError } from '../core/errors.ts'
import { RELATION_CONTRACTS } from '../relations/contracts.ts'
import { inlineColumns } from '../relations/define-relation.ts'

/** The table in which the cache keeps a relation; the files of sql/cached read it. */
export interface HeldTable {
  readonly relation: string
  readonly name: string
  readonly columns: readonly InlineColumn[]
}

const CUSTOMER_KEY: InlineColumn = { name: 'customer_key', type: 'integer' }

/** The accounts, each with the instants between which its rows are right. */
export const ACCOUNTS: HeldTable = {
  relation: 'account',
  name: 'cached_account',
  columns: [CUSTOMER_KEY, { name: 'valid_from', type: 'timestamp' }, { name: 'valid_to', type: 'timestamp' }],
}

/**
 * The amounts from which the base amounts of a movement are worked out: the component that moved, before and after, and both components
 * of the side whose facts name the movement (D61). Each has its original cents and the day whose rate fixes them (D12).
 */
const MOVEMENT_SIDES: readonly InlineColumn[] = ['before', 'after', 'named_subscription', 'named_usage'].flatMap(
  (side): InlineColumn[] => [
    { name: `${side}_cents`, type: 'integer' },
    { name: `${side}_fixed_on`, type: 'date' },
  ],
)

/** The relation's columns without base amounts, which depend on rates and are worked out in each answer, and always with the account. */
export function heldTable(relation: string): HeldTable {
  const contract = RELATION_CONTRACTS.find(({ name }) => name === relation)
  if (contract === undefined) throw new InternalError(`the cache cannot hold ${relation}`)
  const kept = inlineColumns(contract, CUSTOMER_KEY.type).filter(({ name }) => !name.endsWith('_base_cents'))
  const columns = relation === 'mrr_movement' ? [...kept, ...MOVEMENT_SIDES] : kept
  const hasAccount = columns.some(({ name }) => name === CUSTOMER_KEY.name)
  return { relation, name: `cached_${relation}`, columns: hasAccount ? columns : [CUSTOMER_KEY, ...columns] }
}

/** The statement that makes the empty table. */
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
