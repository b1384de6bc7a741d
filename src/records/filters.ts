import { empty, type Fragment, fn, isOneOf, join, relation, sql, value } from '../compiler/fragment.ts'
import { SUBSCRIPTION_STATUSES } from '../core/enums.ts'
import { dayOf } from '../core/periods.ts'
import type { RunContext } from '../execution/run.ts'
import type { Condition } from '../query/condition.ts'
import { compileCondition } from '../query/condition-sql.ts'
import { CUSTOMER_DIMENSIONS } from '../query/dimensions/customer.ts'
import { SOURCE_DIMENSIONS } from '../query/dimensions/source.ts'
import type { FactContext, Field } from '../query/field.ts'
import type { ListDefinition } from '../query/lists/definition.ts'
import type { DataRequest } from '../query/lists/request.ts'
import { pointAt } from '../query/timeframe.ts'

/** The parts of a list by which its rows are narrowed. */
type Narrowed = Pick<ListDefinition, 'source_id' | 'customer_id' | 'searched' | 'day' | 'days_open'>

/** How records of customers are narrowed. A search finds parts of names, and whole ids: these, and the customer's. */
export function ofCustomers(...ids: readonly Fragment[]): Pick<ListDefinition, 'source_id' | 'customer_id' | 'searched'> {
  return {
    source_id: sql`customer.source_id`,
    customer_id: sql`customer.customer_id`,
    searched: {
      parts: [sql`customer.customer_name`, sql`customer.email`, sql`customer.external_key`],
      ids: [...ids, sql`customer.customer_id`],
    },
  }
}

/** The filters of a list, as conditions that begin with `and`. */
export function listFilters(definition: Narrowed, request: DataRequest, fact: FactContext): Fragment {
  return allOf([
    ...fieldTests(request.conditions, fact),
    ...same(definition.source_id, request.source_id),
    ...same(definition.customer_id, request.customer_id),
    ...(request.search === undefined ? [] : [searchTest(definition, request.search)]),
    ...dayTests(definition.day, request),
    ...openTests(definition, request),
    ...(request.audience === undefined ? [] : [IN_SEGMENT]),
  ])
}

const IN_SEGMENT = sql`fact.customer_key in (select seg.customer_key from ${relation('segment_member')} as seg)`

/** All conditions, each begun with `and`. */
export function allOf(tests: readonly Fragment[]): Fragment {
  return join(
    tests.map(
      (test) => sql`
    and (${test})`,
    ),
    empty,
  )
}

/** The column holds exactly this text. */
export function isText(column: Fragment, text: string): Fragment {
  return sql`${fn('text', column)} = ${value(text, 'text')}`
}

function same(column: Fragment | undefined, text: string | undefined): readonly Fragment[] {
  return column === undefined || text === undefined ? [] : [isText(column, text)]
}

const [, SOURCE_ID] = SOURCE_DIMENSIONS
const [CUSTOMER_ID] = CUSTOMER_DIMENSIONS

/** The conditions of a request for a list, apart from those on customers, which are its audience. */
export function conditionsOf({ conditions, ofSubscription, source_id, customer_id }: DataRequest): readonly Condition[] {
  const equal = (field: Field | undefined, text: string | undefined): readonly Condition[] =>
    field === undefined || text === undefined ? [] : [{ field, operator: '=', values: [text] }]
  return [
    ...conditions,
    ...ofSubscription.map((one) =>
      one.field.key === 'subscription.status' ? { ...one, field: { ...one.field, values: SUBSCRIPTION_STATUSES } } : one,
    ),
    ...equal(SOURCE_ID, source_id),
    ...equal(CUSTOMER_ID, customer_id),
  ]
}

/** Conditions on fields of a list, all of which must hold. */
export function fieldTests(conditions: readonly Condition[], fact: FactContext): readonly Fragment[] {
  return conditions.map((condition) => compileCondition(condition, fn('text', condition.field.expression(fact) ?? empty)))
}

function searchTest({ searched }: Narrowed, text: string): Fragment {
  const pattern = fn('lower', value(`%${text.replace(/[!%_]/g, '!$&')}%`, 'text'))
  const parts = searched.parts.map((column) => fn('like', fn('lower', fn('text', column)), pattern))
  return join([...parts, ...searched.ids.map((column) => isText(column, text))], sql` or `)
}

function openTests({ days_open }: Narrowed, { open_for_days }: DataRequest): readonly Fragment[] {
  return days_open === undefined || open_for_days === undefined ? [] : [sql`${days_open} >= ${value(open_for_days, 'integer')}`]
}

function dayTests(day: Fragment | undefined, { start, end }: DataRequest): readonly Fragment[] {
  if (day === undefined) return []
  return [
    ...(start === undefined ? [] : [sql`${day} >= ${value(start, 'date')}`]),
    ...(end === undefined ? [] : [sql`${day} <= ${value(end, 'date')}`]),
  ]
}

/** The context in which fields of lists are compiled: the state just before the end of now. */
export function listFact({
  deps: { connector },
  session: { definitions, now },
}: Pick<RunContext, 'deps' | 'session'>): FactContext {
  return {
    fact: 'level',
    instant: value(pointAt(dayOf(now), now).before, 'timestamp'),
    isBefore: sql`1 = 1`,
    connector: connector.type,
    allowUnpriced: definitions.allow_unpriced,
    isNarrowed: false,
  }
}

/** Columns that name a customer in sql/data/customers_wanted.sql. */
export type NameColumn = 'customer_id' | 'external_key' | 'email'

const COLUMNS = {
  customer_id: sql`fact.customer_id`,
  external_key: sql`fact.external_key`,
  email: sql`fact.email`,
} as const satisfies Record<NameColumn, Fragment>

/** The column holds one of the names. */
export function namedAny(column: NameColumn, names: readonly string[]): Fragment {
  return isOneOf(COLUMNS[column], names)
}
