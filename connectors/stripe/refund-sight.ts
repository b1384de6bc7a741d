import { causeOf, unseenIn } from '../../src/connector-kit/optional-columns.ts'
import type { Sight } from '../../src/connector-kit/rights.ts'
import { type Family, RETURNS, type ReturnTable } from './documents.ts'
import { NEEDED } from './expanded/refunds.ts'
import { RETURN_COLUMNS } from './tables.ts'

/** The rights of a role to money that went back (S23). */
export interface RefundSight {
  /** The tables that it may read to their end. */
  readonly returns: readonly ReturnTable[]
  /** Why refunds are not known, in sentences. Undefined: they are. */
  readonly refunds_unknown: string | undefined
  /** Tables that the mirror has and that the role may not read. */
  readonly returns_denied: readonly ReturnTable[]
}

/** The part of a role's rights that is about money that went back. A table whose rows a policy hides counts as unreadable. */
export function sightOfRefunds({ columns, denied, restricted }: Sight, family: Family): RefundSight {
  const unseenOf = (table: ReturnTable) => unseenIn(columns, { [table]: RETURN_COLUMNS[family] })
  const hidden = RETURNS.filter((table) => restricted.includes(table))
  const returns = RETURNS.filter((table) => unseenOf(table).length === 0 && !hidden.includes(table))
  const lacking = NEEDED.filter((table) => !returns.includes(table))
  const unseen = lacking.flatMap(unseenOf)
  const policies = lacking.filter((table) => hidden.includes(table))
  const causes = [
    ...(unseen.length === 0 ? [] : [causeOf(unseen, denied, 'postgres')]),
    ...(policies.length === 0 ? [] : [`Row-level security hides rows of ${policies.join(', ')} from the database role.`]),
  ]
  return {
    returns,
    refunds_unknown: lacking.length === 0 ? undefined : `${causes.join(' ')} Refunds are therefore not known.`,
    returns_denied: RETURNS.filter((table) => unseenOf(table).some((name) => denied.has(name))),
  }
}
