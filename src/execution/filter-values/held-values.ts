import { digits, empty, type Fragment, fn, isOneOf, join, relation, sql, textList, value } from '../../compiler/fragment.ts'
import { BEGINNING, dayOf, sqlNow } from '../../core/periods.ts'
import { integerCell, textCell } from '../../ports/cells.ts'
import type { Row } from '../../ports/rows.ts'
import { compileCondition } from '../../query/condition-sql.ts'
import type { FactContext, Field } from '../../query/field.ts'
import { horizonOf } from '../../query/forecast.ts'
import { compileJoins } from '../../query/joins.ts'
import { pointAt } from '../../query/timeframe.ts'
import { compileWithoutRates, type RunContext } from '../run.ts'

/** A field with the values that filters name. */
export interface NamedValues {
  readonly field: Field
  /** Without any, all values are read. */
  readonly wanted: readonly string[]
  /** Of all values, only those that contain this text, in any letters. Absent: all. */
  readonly search?: string
  /** The values of an attribute: rows with the column `attribute_value`. Absent for other fields. */
  readonly attribute?: Fragment
  /** True if only the wanted values are read, because the others identify customers or are not near to them. */
  readonly readsOnlyWanted: boolean
}

/** The values of a field that the data has. */
export interface HeldValues {
  /** The wanted values among them, and others that may be near to those. */
  readonly values: readonly string[]
  /** The number of all values. Null: not counted. */
  readonly count: number | null
}

/** Most values of a field that are read, apart from the wanted ones. */
export const MOST_READ = 1_000

/** The rows that hold the values of a field. Spans are read only if no smaller relation has them. */
type Holder = 'customer' | 'plan' | 'subscription' | 'cancellation' | 'span'

const CANCELLATION_JOINS = ['cancellation', 'customer_cancellation', 'reason'] as const

function holderOf({ key, joins, same_as }: Field): Holder {
  if (same_as !== undefined) return holderOf(same_as)
  if (joins.includes('cohort')) return 'customer'
  if (joins.includes('plan')) return 'plan'
  if (CANCELLATION_JOINS.some((name) => joins.includes(name))) return 'cancellation'
  if (joins.includes('subscription') || key === 'subscription.id') return 'subscription'
  return joins.includes('customer') ? 'customer' : 'span'
}

/** Reads the values of these fields with one bounded statement, in the order of the fields. Plans that only spans name take a second one. */
export async function readHeldValues(
  named: readonly NamedValues[],
  { isForecast }: { readonly isForecast: boolean },
  context: RunContext,
): Promise<readonly HeldValues[]> {
  const fact = factOf(context, isForecast)
  const { now } = context.session
  // Only a forecast has the rows of days to come.
  const reach = isForecast
    ? { to: horizonOf(now), params: { until: sqlNow(horizonOf(now)) } }
    : { to: pointAt(dayOf(now), now).before, params: {} }
  const found = await readFrom(named, (one) => partOf(one, holderOf(one.field), fact), reach, context)
  const missing = named.flatMap((one, index) => {
    const wanted = one.wanted.filter((text) => found[index]?.values.includes(text) !== true)
    return isOfAnyPlan(one.field) && one.attribute === undefined && wanted.length > 0
      ? [{ index, one: { ...one, wanted, readsOnlyWanted: true } }]
      : []
  })
  if (missing.length === 0) return found
  const ofSpans = await readFrom(
    missing.map(({ one }) => one),
    (one) => partOf(one, 'span', fact),
    reach,
    context,
  )
  return found.map((held, index) => {
    const more = ofSpans[missing.findIndex((one) => one.index === index)]?.values ?? []
    return { values: [...held.values, ...more], count: held.count }
  })
}

// A plan that no catalog has is a value too: spans name it.
function isOfAnyPlan({ key, same_as }: Field): boolean {
  if (same_as !== undefined) return isOfAnyPlan(same_as)
  return /(^|\.)plan_(id|name)$/.test(key)
}

async function readFrom(
  named: readonly NamedValues[],
  part: (one: NamedValues) => Part,
  { to, params }: { readonly to: Date; readonly params: { readonly until?: string } },
  context: RunContext,
): Promise<readonly HeldValues[]> {
  if (named.length === 0) return []
  const parts = named.map((one, index) => (isCompared(one.field) ? comparedOf : selectOf)(part(one), one, index))
  const run = {
    template: 'data/filter_values',
    slots: {},
    params: { most: MOST_READ, ...params },
    window: { from: BEGINNING, to },
    built: new Map([['filter_value', sql`(${join(parts, sql`\n  union all\n  `)})`]]),
  }
  const rows = await context.run(await compileWithoutRates(run, context))
  return named.map(({ field, wanted, readsOnlyWanted }, index) => {
    const own = rows.filter((row) => integerCell(row, 'field_no') === index)
    if (isCompared(field)) return { values: comparedValues(field, wanted, own), count: null }
    const [first] = own
    const count = readsOnlyWanted ? null : first === undefined ? 0 : integerCell(first, 'value_count')
    return { values: own.map((row) => textCell(row, 'held_value') ?? ''), count }
  })
}

/** The text of a field, and the rows that hold it. */
interface Part {
  readonly text: Fragment
  readonly from: Fragment
}

function partOf({ field: named, attribute }: NamedValues, holder: Holder, fact: FactContext): Part {
  const field = named.same_as ?? named
  if (attribute !== undefined) {
    const text =
      field.type === 'boolean'
        ? sql`case when held.attribute_value = true then 'true' when held.attribute_value = false then 'false' end`
        : sql`held.attribute_value`
    return { text, from: sql`${attribute} as held` }
  }
  const text = field.expression(fact) ?? empty
  if (field.held_in !== undefined && field.held_in !== 'books') return { text, from: sql`${field.held_in} as fact` }
  const joins = compileJoins(field.joins)
  switch (holder) {
    case 'plan':
      return {
        text,
        from: sql`(select known.plan_key, known.plan_id as plan from ${relation('plan')} as known) as fact ${compileJoins(['plan'])}`,
      }
    case 'cancellation': {
      const [alias = 'cancellation'] = CANCELLATION_JOINS.filter((name) => field.joins.includes(name))
      return { text, from: sql`${relation('cancellation')} as ${ALIASES[alias]}` }
    }
    case 'span':
      return { text, from: sql`${relation('mrr_span')} as fact ${joins}` }
    default:
      return { text, from: sql`${relation(holder)} as fact ${joins}` }
  }
}

const ALIASES = {
  cancellation: sql`cancellation`,
  customer_cancellation: sql`customer_cancellation`,
  reason: sql`reason`,
}

function selectOf({ text, from }: Part, { field, wanted, readsOnlyWanted, search }: NamedValues, index: number): Fragment {
  const exact = fn('exact_text', text)
  if (wanted.length === 0 && !readsOnlyWanted) {
    const found = search === undefined ? sql`1 = 1` : compileCondition({ field, operator: 'contains', values: [search] }, exact)
    return sql`select distinct ${digits(index)} as field_no, ${exact} as held_value, 2 as place from ${from} where ${found}`
  }
  const isWanted = sql`${exact} in (${textList(wanted)})`
  // An index of ids helps only without the function. The caller compares the texts exactly.
  if (readsOnlyWanted)
    return sql`select distinct ${digits(index)} as field_no, ${exact} as held_value, 0 as place from ${from} where ${isOneOf(text, wanted)}`
  return sql`select distinct ${digits(index)} as field_no, ${exact} as held_value,
    case when ${isWanted} then 0 ${join(
      prefixesOf(wanted).map((prefix) => sql`when ${fn('like', fn('lower', exact), value(prefix, 'text'))} then 1 `),
      empty,
    )}else 2 end as place
  from ${from}`
}

/** Most values of a number or date that are looked up. */
export const MOST_COMPARED = 100

/** True for a field whose values the database compares, because their texts differ between databases. */
export function isCompared({ type }: Field): boolean {
  return type === 'number' || type === 'date'
}

/** True for a value that a row has had if one has reached it. */
function isPassed(field: Field, value: string): boolean {
  return (field.same_as ?? field).grows === true && Number(value) >= 0
}

/** The wanted values that rows have. A number that grows finds the largest one that a row has reached. */
function comparedOf({ text, from }: Part, { field, wanted }: NamedValues, index: number): Fragment {
  const texts = (field.same_as ?? field).grows ? [...wanted].sort((a, b) => Number(b) - Number(a)) : wanted
  const branches = texts.map((one) => {
    const operator = isPassed(field, one) ? '>=' : '='
    const isHeld = compileCondition({ field, operator, values: [one] }, sql`compared.held`)
    return sql`when ${isHeld} then ${fn('exact_text', value(one, 'text'))} `
  })
  return sql`select distinct ${digits(index)} as field_no, case ${join(branches, empty)}end as held_value, 0 as place
  from (select ${text} as held from ${from}) as compared`
}

/** One number may be written in several ways, of which the statement names the first. */
function comparedValues(field: Field, wanted: readonly string[], rows: readonly Row[]): readonly string[] {
  const found = rows.flatMap((row) => textCell(row, 'held_value') ?? [])
  if (field.type !== 'number') return found
  const numbers = found.map(Number)
  const most = Math.max(...numbers)
  return wanted.filter((one) => (isPassed(field, one) ? Number(one) <= most : numbers.includes(Number(one))))
}

/** The values of a list as the statement gives them: the wanted ones, then those that may be near, then others. */
export function nearFirst(values: readonly string[], wanted: readonly string[]): HeldValues {
  const starts = prefixesOf(wanted).map((prefix) => prefix.slice(0, -1))
  const placeOf = (text: string) =>
    wanted.includes(text) ? 0 : starts.some((start) => text.toLowerCase().startsWith(start)) ? 1 : 2
  const placed = values.map((text) => ({ text, place: placeOf(text) }))
  placed.sort((a, b) => a.place - b.place || Buffer.compare(Buffer.from(a.text), Buffer.from(b.text)))
  return {
    values: placed.filter(({ place }, index) => place === 0 || index < MOST_READ).map(({ text }) => text),
    count: values.length,
  }
}

/** Patterns of values that may be near to the wanted ones: the same first two letters. Beyond ASCII, databases lower letters differently. */
function prefixesOf(wanted: readonly string[]): readonly string[] {
  const starts = wanted.flatMap((text) => /^[a-z0-9]{2}/.exec(text.toLowerCase())?.[0] ?? [])
  return [...new Set(starts)].slice(0, 10).map((start) => `${start}%`)
}

function factOf({ deps: { connector }, session: { definitions, now } }: RunContext, isForecast: boolean): FactContext {
  return {
    fact: 'level',
    instant: value(isForecast ? horizonOf(now) : pointAt(dayOf(now), now).before, 'timestamp'),
    isBefore: sql`1 = 1`,
    connector: connector.type,
    allowUnpriced: definitions.allow_unpriced,
    isNarrowed: false,
  }
}
