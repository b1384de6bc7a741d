import { empty, type Fragment, ident, join, sql, value } from '../../compiler/fragment.ts'
import { sqlNow } from '../../core/periods.ts'
import type { Condition } from '../../query/condition.ts'
import { matchesText } from '../../query/condition-match.ts'
import { compileCondition } from '../../query/condition-sql.ts'
import type { Field } from '../../query/field.ts'
import { rangeTime } from '../../query/request.ts'
import type { MetricContext, TemplateRun } from './context.ts'

/** Columns of a counted row. Those that a part does not have are null. */
export const ROW_COLUMNS = {
  customer_key: 'integer',
  subscription_id: 'text',
  /** Instant of the movement, of the churn, or of the trial. */
  occurred_at: 'timestamp',
  movement_type: 'text',
  movement_source: 'text',
  reason: 'text',
  /** Kind of churn and reason of the cancellation (D46). */
  churn_type: 'text',
  cancel_reason: 'text',
  /** Invoice, or key of a usage charge. */
  document_id: 'text',
  plan: 'text',
  /** The subscription's state just before this instant, and at that instant, explain the row. */
  before_at: 'timestamp',
  after_at: 'timestamp',
  currency: 'text',
  /** Day of the exchange rate. */
  fixed_on: 'date',
  /** The amount that the row adds to the number, in the unit of the request. */
  amount: 'integer',
  /** The amount in original cents. */
  amount_cents: 'integer',
  /** Part of a movement's base amount that only the exchange rate made (D12). */
  rate_base_cents: 'integer',
} as const

export type RowColumn = keyof typeof ROW_COLUMNS

type Columns = { readonly [Name in RowColumn]?: Fragment }

/** Rows of one statement: those of its CTE `measure`, which is what the query counts. */
export interface CountedPart {
  readonly run: TemplateRun
  /** Columns as expressions over the relation `fact` of the template. */
  readonly fact: Columns
  /** Columns as expressions over the columns of `measure`. */
  readonly measure: Columns
  /** Conditions on the columns of `measure`. */
  readonly where: readonly Fragment[]
}

/** The rows that a number counts. A row is the smallest thing that counts: parts with equal keys are one row. */
export interface Counted {
  readonly kind: 'cents' | 'count'
  readonly parts: readonly CountedPart[]
  /** The value of one row, over its `amount` in the parts. */
  readonly total: Fragment
}

/** One value of a column that names a cell; null stands for "no value". */
export interface CellGroup {
  readonly field: Field
  readonly condition: Condition | null
}

/** The context of a query for one cell of its answer. The request covers the period of the cell only. */
export interface CellContext extends MetricContext {
  readonly groups: readonly CellGroup[]
  /** Key columns that are no dimensions. */
  readonly keys: Readonly<Record<string, string>>
}

/** Columns of a fact that is about a subscription. */
export const OF_SUBSCRIPTION: Columns = {
  customer_key: sql`fact.customer_key`,
  subscription_id: sql`fact.subscription_id`,
  currency: sql`fact.currency`,
}

/** Columns of a fact of the start cohort, whose `subscription_id` names the subscription of its group. */
export const OF_START_COHORT: Columns = { ...OF_SUBSCRIPTION, subscription_id: sql`fact.own_subscription_id` }

/** Columns that a movement has in addition. */
export const OF_MOVEMENT: Columns = {
  rate_base_cents: sql`fact.rate_base_cents`,
  occurred_at: sql`fact.occurred_at`,
  before_at: sql`fact.occurred_at`,
  after_at: sql`fact.occurred_at`,
  movement_source: sql`fact.movement_source`,
}

/** MRR of the start cohort just before the range, from statements with `start_part`: a row is a subscription. */
export function startRows(cell: CellContext) {
  const after_at = justBefore(rangeTime(cell.request).from, cell)
  return {
    fact: OF_START_COHORT,
    measure: { amount: sql`start_part`, fixed_on: sql`fixed_on`, after_at },
    where: [sql`start_part <> 0`],
  }
}

/** The columns `amount` and `amount_cents` of a measure that has both currencies. */
export function amountsOf({ request }: CellContext) {
  const amount_cents = sql`amount_cents`
  return { amount: request.unit === 'base' ? sql`amount_base_cents` : amount_cents, amount_cents }
}

/** The rows of one measure in a cell. */
export type CountRows = (cell: CellContext) => Counted

export const SUM: Fragment = sql`sum(amount)`
export const EACH: Fragment = sql`count(*)`
export const ONCE: Fragment = sql`1`

/** Conditions that select the cell's groups among the rows of `measure`. */
export function inGroups({ groups }: CellContext, isUsed: (field: Field) => boolean = () => true): readonly Fragment[] {
  return groups
    .filter(({ field }) => isUsed(field))
    .map(({ field, condition }) => {
      const column = ident(field.column)
      return condition === null ? sql`${column} is null` : compileCondition(condition, column)
    })
}

/** True if a text that SQL does not filter by meets the request's conditions on the field and the cell's group. */
export function isInCell({ groups, request }: CellContext, key: string, text: string): boolean {
  const filters = request.conditions.filter(({ field }) => field.key === key)
  const own = groups.filter(({ field }) => field.key === key).map(({ condition }) => condition)
  return [...filters, ...own].every((one) => one !== null && matchesText(one, text))
}

/** The last instant before a clock time, which is a whole second, as a bound value. */
export function justBefore(clock: Date, { calendar }: Pick<CellContext, 'calendar'>): Fragment {
  return value(sqlNow(new Date(calendar.instantOf(clock).getTime() - 1000)), 'timestamp')
}

/** Names and expressions of the columns that a part adds to the slot `dimensions`. */
export function carried({ fact }: CountedPart): Fragment {
  return join(
    Object.entries(fact).map(([name, expression]) => sql`, ${expression} as ${ident(`row_${name}`)}`),
    empty,
  )
}

/** The select over `measure` that gives all columns of a row. */
export function selectRows({ fact, measure, where }: CountedPart): Fragment {
  const columns = Object.entries(ROW_COLUMNS).map(([name, type]) => {
    const own = measure[name as RowColumn]
    const expression = own ?? (name in fact ? sql`${ident(`row_${name}`)}` : value(null, type))
    return sql`${expression} as ${ident(name)}`
  })
  const tests = where.length === 0 ? empty : sql` where ${join(where, sql` and `)}`
  return sql`select ${join(columns, sql`, `)} from measure${tests}`
}
