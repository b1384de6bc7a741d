import { type ParameterDefinition, parameter } from './define-parameter.ts'
import { LEDGER_PARAMETERS } from './ledger-parameters.ts'
import {
  choice,
  DAY,
  FILTERS,
  FLAG,
  INTERVAL,
  NEXT,
  nameOf,
  ORDER,
  PERIOD_NAME,
  RANGE,
  text,
  texts,
  whole,
} from './parameter-types.ts'
import { EARLIER, RANGE_RULE } from './ranges.ts'

export type { ParameterDefinition, Place } from './define-parameter.ts'

/** Most segments in one comparison. */
export const MOST_COMPARED = 10

/** All parameters (http-api.md 1.5 and 5). If two share a place, such as `start` and `end`, issues name the first. */
export const PARAMETERS = {
  at: parameter('at', DAY, 'State at the end of this day; for today, the state now. Default: today.', {
    option: {
      name: 'at',
      hint: 'date',
      description: 'State at the end of this day: 2026-10-31, yesterday, 2026-10; default: today',
    },
  }),
  start: parameter('start', DAY, 'First day of the range, inclusive.', {
    places: ['params.start', 'spec.time_range'],
    option: { name: 'start', hint: 'date', description: 'First day of the range: 2026-10-01, 2026-10, last quarter' },
  }),
  end: parameter('end', DAY, 'Last day of the range, inclusive.', {
    places: ['params.end', 'spec.time_range'],
    option: { name: 'end', hint: 'date', description: 'Last day of the range, inclusive: 2026-10-31, yesterday, 2026-10' },
  }),
  range: parameter('range', RANGE, `Named range, in place of start and end. ${RANGE_RULE}`, {
    option: {
      name: 'range',
      hint: 'name',
      description: 'Range of days: 2026-10, 2026-Q3, 2026, last-month, ytd, last-12-months (up to today), last-12-full-months',
    },
  }),
  interval: parameter('interval', INTERVAL, 'Length of a period: day, week (ISO), month, quarter or year. Default: month.', {
    option: { name: 'interval', hint: 'interval', description: 'Length of a period: day, week, month, quarter or year' },
  }),
  granularity: parameter(
    'granularity',
    INTERVAL,
    'One row per period of this length. Same as interval, where the endpoint has interval.',
    {
      places: ['params.granularity', 'spec.granularity'],
      option: { name: 'granularity', hint: 'interval', description: 'One row per period' },
    },
  ),
  dimensions: parameter(
    'dimensions',
    texts('a list of names'),
    'Dimensions to group by; customer attributes as `attr.<key>`. Repeatable, or separated by commas.',
    {
      wire: 'repeated_or_commas',
      places: ['spec.dimensions'],
      option: { name: 'dimension', hint: 'name', description: 'Group by this dimension; may be repeated' },
    },
  ),
  filter: parameter(
    'filter',
    FILTERS,
    'Filter as key=value. Values of the same key are alternatives; different keys must all match.',
    {
      wire: 'pairs',
      places: ['spec.filters'],
      option: { name: 'filter', hint: 'key=value', description: 'Keep rows with this value; may be repeated' },
    },
  ),
  segment: parameter(
    'segment',
    nameOf('the id or name of a segment'),
    'Only customers in this segment count. Id or exact name of a segment, or a definition as JSON text.',
    {
      places: ['spec.segment', 'spec.filters.__segment_id__', 'params.segment'],
      option: { name: 'segment', hint: 'id|name', description: 'Only the customers of this segment' },
    },
  ),
  compare_segments: parameter(
    'compare_segments',
    texts('a list of ids or names of segments', MOST_COMPARED),
    `Ids or exact names of up to ${MOST_COMPARED} segments to compare. Repeatable.`,
    {
      wire: 'repeated',
      places: ['spec.compare', 'spec.filters.__compare_segment_ids__'],
      option: { name: 'compare', hint: 'id|name', description: `Rows for each of these segments, at most ${MOST_COMPARED}` },
    },
  ),
  per_segment: parameter(
    'per_segment',
    FLAG,
    'With compare_segments: true gives one table per segment instead of one for all of them.',
  ),
  query_type: parameter('query_type', nameOf('text'), 'Which query of the metric to run.', {
    known_to: 'metrics',
    option: { name: 'query-type', hint: 'name', description: 'Query to run, as listed by `plumbline fields <metric>`' },
  }),
  type: parameter('type', nameOf('text'), 'Variant of the figure, if the endpoint has variants.', {
    option: {
      name: 'type',
      hint: 'logo|revenue',
      description: 'Count lost customers (logo) or lost revenue (revenue); default: logo',
    },
  }),
  format: parameter('format', choice(['json', 'csv', 'xlsx']), 'Format of the response body. Overrides the Accept header.'),
  money: parameter(
    'money',
    choice(['cents', 'units']),
    'Format of amounts: cents (whole cents), or units (decimal text with the digits of the currency). Default: cents.',
    { option: { name: 'money', hint: 'cents|units', description: 'Format of amounts in json, csv and xlsx; default: cents' } },
  ),
  definitions: parameter(
    'definitions',
    nameOf('the name of a definition set'),
    'Definition set of this answer, as `GET /api/definitions` lists them. Default: the definitions of the configuration.',
    { option: { name: 'definitions', hint: 'set', description: 'Definition set of this answer; default: the configuration' } },
  ),
  explain: parameter(
    'explain',
    FLAG,
    'true: the answer as `result`, with the statements that ran, their values, the definitions and what was left out. Only in JSON.',
    { known_to: 'metrics' },
  ),
  forecast: parameter(
    'forecast',
    FLAG,
    'true: days after today count too, with what the billing database already states about them. The summary then has two more figures.',
    { known_to: 'metrics' },
  ),
  order: parameter(
    'order',
    ORDER,
    'Fields to sort by, separated by commas. `-` before a field sorts it descending. Nulls come last.',
    {
      known_to: 'rows',
      option: { name: 'order', hint: 'fields', description: 'Sort rows by these fields, for example -mrr,plan_id' },
    },
  ),
  limit: parameter('limit', whole(1, 1000), 'Rows per page, 1 to 1000. Default: 100.', {
    known_to: 'rows',
    option: { name: 'limit', hint: 'number', description: 'Show at most this many rows' },
  }),
  offset: parameter('offset', whole(0, 1_000_000_000_000), 'Rows to skip before the page. Default: 0.', {
    known_to: 'rows',
    option: { name: 'offset', hint: 'number', description: 'Skip this many rows first' },
  }),
  rest: parameter('rest', FLAG, 'With limit: true adds one row, marked is_rest, that sums up all rows not shown.', {
    known_to: 'metrics',
  }),
  compare_to: parameter(
    'compare_to',
    choice(EARLIER),
    'Compare each figure with an earlier time. previous: as many days before. For whole calendar periods: as many periods before. For a named range up to today: the same days, as many periods before. year: one year before.',
    {
      known_to: 'metrics',
      option: {
        name: 'compare-to',
        hint: 'previous|year',
        description: 'Compare each figure with the previous time, or with a year before',
      },
    },
  ),
  ...LEDGER_PARAMETERS,
  measure: parameter(
    'measure',
    nameOf('the name of a measure'),
    'The number whose rows to show: a sum, a count, or the numerator or denominator of a ratio.',
    {
      known_to: 'cells',
      option: { name: 'measure', hint: 'name', description: 'Show the rows of this measure; default: the first of the query' },
    },
  ),
  period: parameter(
    'period',
    PERIOD_NAME,
    'Period of the number, as the answer names it, or `all` for the number of the whole range.',
    {
      known_to: 'cells',
      option: { name: 'period', hint: 'date', description: 'First day of the period, as the answer names it, or all' },
    },
  ),
  movement_type: parameter('movement_type', nameOf('a movement type'), 'Movement type of the number.', {
    known_to: 'cells',
    option: { name: 'movement-type', hint: 'name', description: 'Movement type of the number' },
  }),
  cohort_month: parameter('cohort_month', DAY, 'Cohort of the number.', {
    known_to: 'cells',
    option: { name: 'cohort-month', hint: 'date', description: 'Cohort of the number' },
  }),
  active_month: parameter('active_month', DAY, 'Active month of the number.', {
    known_to: 'cells',
    option: { name: 'active-month', hint: 'date', description: 'Active month of the number' },
  }),
  recognized_month: parameter(
    'recognized_month',
    text('a month of recognition'),
    'Month of recognition of the number, or `later`.',
    {
      known_to: 'cells',
      option: { name: 'recognized-month', hint: 'date', description: 'Month of recognition of the number, or later' },
    },
  ),
  group: parameter(
    'group',
    texts('a list of key=value'),
    'Group of the number as key=value, once for each dimension, for `segment_id` in a comparison, and for `customer_id` in a list of customers. A key without `=` means the group without a value.',
    {
      wire: 'repeated',
      known_to: 'cells',
      option: {
        name: 'group',
        hint: 'key=value',
        description: 'Group of the number; may be repeated; a key alone means no value',
      },
    },
  ),
  search: parameter(
    'search',
    text(),
    'Part of a customer name, e-mail address or external key (case does not matter), or a complete id.',
    {
      known_to: 'records',
      option: { name: 'search', hint: 'text', description: 'Part of a name, e-mail address or external key, or a complete id' },
    },
  ),
  source_id: parameter('source_id', text(), 'Only this tenant of the billing engine.', {
    known_to: 'records',
    option: { name: 'source-id', hint: 'id', description: 'Only this source; default: all' },
  }),
  customer_id: parameter('customer_id', text(), 'Only records of the customer with this id.', {
    known_to: 'records',
    option: { name: 'customer-id', hint: 'id', description: 'Only records of this customer' },
  }),
  invoice_id: parameter('invoice_id', text(), 'The invoice with this id.', {
    known_to: 'records',
    option: { name: 'invoice-id', hint: 'id', description: 'The invoice with this id' },
  }),
  subscription_id: parameter('subscription_id', text(), 'The subscription with this id.', {
    known_to: 'records',
    option: { name: 'subscription-id', hint: 'id', description: 'The subscription with this id' },
  }),
  next: parameter('next', NEXT, 'Up to the end of so many months after this one, such as 6m; at most 24m.', {
    known_to: 'records',
    option: { name: 'next', hint: 'months', description: 'Up to the end of so many months after this one, such as 6m' },
  }),
  open_for_days: parameter('open_for_days', whole(0, 36_500), 'Only open invoices (D90) dated at least this many days ago.', {
    known_to: 'records',
    option: {
      name: 'open-for-days',
      hint: 'number',
      description: 'Only invoices that have been open for at least this many days',
    },
  }),
  latest: parameter('latest', FLAG, 'true: only the newest rate of each currency pair.', { known_to: 'records' }),
  key: parameter('key', text('one key of an attribute'), 'Only the values of this attribute.', { known_to: 'records' }),
} as const satisfies Record<string, ParameterDefinition>

export type ParameterName = keyof typeof PARAMETERS

/** Type of a parsed parameter value. */
export type ParameterValue<Name extends ParameterName> =
  (typeof PARAMETERS)[Name] extends ParameterDefinition<infer T, string> ? T : never

/** Names of all parameter options. */
export type ParameterOptionName = {
  [Name in ParameterName]: (typeof PARAMETERS)[Name] extends ParameterDefinition<unknown, infer Option> ? Option : never
}[ParameterName]

/** All parameters in documented order. */
export const ALL_PARAMETERS: readonly ParameterDefinition[] = Object.values(PARAMETERS)

/** The definition of a parameter; undefined for an unknown name. */
export function parameterNamed(name: string): ParameterDefinition | undefined {
  return Object.hasOwn(PARAMETERS, name) ? PARAMETERS[name as ParameterName] : undefined
}
