import type * as z from 'zod'
import { join, sql } from '../compiler/fragment.ts'
import type { CustomerRef } from '../core/attribute.ts'
import type { Calendar } from '../core/calendar.ts'
import { AppError, InternalError } from '../core/errors.ts'
import { textCell } from '../ports/cells.ts'
import type { ListInputs } from '../query/lists/request.ts'
import { parseValue } from '../query/values.ts'
import { CUSTOMERS } from './customers.ts'
import { allOf, isText, namedAny } from './filters.ts'
import { type RunData, writeRows } from './list.ts'
import { CUSTOMER_DETAIL } from './rows.ts'
import { SUBSCRIPTIONS } from './subscriptions.ts'

/** Parameters of the path of one customer. */
export const CUSTOMER_INPUTS: ListInputs = { fields: [], statuses: [], own: ['source_id'], takesDays: false, takesSegment: false }

export type CustomerDetail = z.infer<typeof CUSTOMER_DETAIL>

/** A found customer with its subscriptions, and with what the caller adds. */
export async function readCustomer(
  found: CustomerRef,
  added: Pick<CustomerDetail, 'attributes' | 'admin_url'>,
  run: RunData,
  calendar: Calendar,
): Promise<CustomerDetail> {
  const isCustomer = (source: typeof CUSTOMERS.source_id, id: typeof CUSTOMERS.source_id) =>
    allOf([isText(source, found.source_id), isText(id, found.customer_id)])
  const [customer] = await writeRows(
    CUSTOMERS,
    await run(CUSTOMERS.template, { filters: isCustomer(CUSTOMERS.source_id, sql`fact.customer_id`) }),
    run,
    calendar,
  )
  const owned = await run(SUBSCRIPTIONS.template, {
    filters: isCustomer(SUBSCRIPTIONS.source_id, sql`customer.customer_id`),
  })
  const detail = { ...customer, ...added, subscriptions: await writeRows(SUBSCRIPTIONS, owned, run, calendar) }
  const checked = CUSTOMER_DETAIL.safeParse(detail)
  if (!checked.success) throw new InternalError(`a customer has another shape than declared: ${checked.error.message}`)
  // The attributes are added after the check, because the check would lose a key "__proto__".
  return { ...checked.data, attributes: added.attributes }
}

/** Runs sql/data/customers_wanted.sql. */
export type RunLookup = (filters: ReturnType<typeof allOf>) => ReturnType<RunData>

/** The customer with this account id. Undefined if no customer has it; then the name may be an external key. */
export async function customerOfId(id: string, source_id: string | undefined, find: RunLookup): Promise<CustomerRef | undefined> {
  const [match, ...others] = await lookUp(id, ['customer_id'], source_id, find)
  return others.length === 0 ? match : undefined
}

/** The customer by account id, else by external key. AppError `not_found`, or `conflict` if several sources have the key. */
export async function findCustomer(wanted: string, source_id: string | undefined, find: RunLookup): Promise<CustomerRef> {
  const found = await lookUp(wanted, ['customer_id', 'external_key'], source_id, find)
  const byId = found.filter(({ customer_id }) => customer_id === wanted)
  const matches = byId.length > 0 ? byId : found
  const [match] = matches
  if (match === undefined) throw new AppError('not_found', 'There is no customer of this id or external key.')
  if (matches.length === 1) return match
  const sources = matches.map((other) => other.source_id).sort()
  throw new AppError('conflict', 'Several sources have a customer of this external key: name one in "source_id".', {
    context: { source_ids: sources },
  })
}

/** The customers that have exactly the wanted name in one of these columns. */
async function lookUp(
  wanted: string,
  names: readonly ('customer_id' | 'external_key')[],
  source_id: string | undefined,
  find: RunLookup,
): Promise<readonly CustomerRef[]> {
  if (parseValue(wanted, 'string', false) === undefined) return []
  const isNamed = join(
    names.map((name) => namedAny(name, [wanted])),
    sql` or `,
  )
  const rows = await find(allOf([isNamed, ...(source_id === undefined ? [] : [isText(CUSTOMERS.source_id, source_id)])]))
  return (
    rows
      // MySQL may treat different letters as equal.
      .filter((row) => names.some((name) => textCell(row, name) === wanted))
      .map((row) => ({ source_id: textCell(row, 'source_id') ?? '', customer_id: textCell(row, 'customer_id') ?? '' }))
  )
}
