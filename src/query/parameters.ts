import * as z from 'zod'
import {
  choice,
  DAY,
  FILTERS,
  FLAG,
  INTERVAL,
  nameOf,
  ORDER,
  type ParameterType,
  RANGE,
  text,
  texts,
  whole,
} from './parameter-types.ts'
import { EARLIER } from './ranges.ts'

/** How a query string or command line writes it: once, repeated, repeated or separated by commas, repeated as `key=value`. */
type WireForm = 'once' | 'repeated' | 'repeated_or_commas' | 'pairs'

/** Where a request carries it: `params.<name>`, or `spec.<field>`. */
export type Place = `params.${string}` | `spec.${string}`

/** The option of the command line that gives a parameter. */
interface ParameterOption<Name extends string = string> {
  readonly name: Name
  readonly hint: string
  readonly description: string
}

/** A parameter of a request, defined once: query string, body, command line, documents, messages and reader follow from it. */
export interface ParameterDefinition<T = unknown, Option extends string = string> {
  readonly name: string
  readonly type: ParameterType<T>
  readonly wire: WireForm
  /** Places that mean the same, the first being where a query string or command line puts it. */
  readonly places: readonly [Place, ...Place[]]
  /**
   * Who knows it: what all requests know is read for its form and ignored where it has no use (http-api.md 1.1). What is for rows is known
   * to metrics and records, where they take it.
   */
  readonly known_to: 'all' | 'metrics' | 'records' | 'rows'
  readonly option: ParameterOption<Option> | undefined
  readonly description: string
}

function parameter<T, const Option extends string = never>(
  name: string,
  type: ParameterType<T>,
  description: string,
  rest: Partial<Pick<ParameterDefinition, 'wire' | 'places' | 'known_to'>> & { readonly option?: ParameterOption<Option> } = {},
): ParameterDefinition<T, Option> {
  const { wire = 'once', places = [`params.${name}`], known_to = 'all', option } = rest
  return Object.freeze({ name, type, description, wire, places, known_to, option })
}

/** Most segments that one request compares. */
export const MOST_COMPARED = 10

/** Type of `limit` where rows of a metric are cut; how many there may be is configured. */
export function rowsAtMost(most: number): ParameterType<number> {
  return { ...whole(1, most), schema: z.coerce.number().int().min(1) }
}

/** The table of parameters (http-api.md 1.5 and 5). Where two share a place, as `start` and `end` do, issues about it name the first. */
export const PARAMETERS = {
  at: parameter('at', DAY, 'State at the end of this day (UTC), or now when it is today. Default today.', {
    option: { name: 'at', hint: 'date', description: 'State at the end of this day (YYYY-MM-DD, UTC); today if absent' },
  }),
  start: parameter('start', DAY, 'First day of the range (UTC), included.', {
    places: ['params.start', 'spec.time_range'],
    option: { name: 'start', hint: 'date', description: 'First day of the range (YYYY-MM-DD, UTC)' },
  }),
  end: parameter('end', DAY, 'Last day of the range (UTC), included.', {
    places: ['params.end', 'spec.time_range'],
    option: { name: 'end', hint: 'date', description: 'Last day of the range, inclusive' },
  }),
  range: parameter(
    'range',
    RANGE,
    'Days in place of start and end, as of now: this-month, last-month, this-quarter, last-quarter, this-year, last-year, mtd, qtd, ytd, all, or last-N-days|weeks|months|quarters|years, whole ones before the current one.',
    { option: { name: 'range', hint: 'name', description: 'Range by name, as in last-month, ytd or last-12-months' } },
  ),
  interval: parameter('interval', INTERVAL, 'Length of a period: day, week (ISO), month, quarter or year. Default month.', {
    option: { name: 'interval', hint: 'interval', description: 'Step of a series: day, week, month, quarter or year' },
  }),
  granularity: parameter('granularity', INTERVAL, 'One row per period of this length; the same as interval where that applies.', {
    places: ['params.granularity', 'spec.granularity'],
    option: { name: 'granularity', hint: 'interval', description: 'One row per period' },
  }),
  dimensions: parameter(
    'dimensions',
    texts('a list of names'),
    'Names to group by, attributes of customers as `attr.<key>`; repeatable or separated by commas.',
    {
      wire: 'repeated_or_commas',
      places: ['spec.dimensions'],
      option: { name: 'dimension', hint: 'name', description: 'Group by this dimension; may be repeated' },
    },
  ),
  filter: parameter('filter', FILTERS, 'key=value. The same key again means any of the values; different keys must all hold.', {
    wire: 'pairs',
    places: ['spec.filters'],
    option: { name: 'filter', hint: 'key=value', description: 'Keep what equals the value; may be repeated' },
  }),
  segment: parameter(
    'segment',
    nameOf('the id or name of a segment'),
    'Id or exact name of a segment, or a definition as JSON text: only its customers count.',
    {
      places: ['spec.segment', 'spec.filters.__segment_id__', 'params.segment'],
      option: { name: 'segment', hint: 'id|name', description: 'Only the customers of this segment' },
    },
  ),
  compare_segments: parameter(
    'compare_segments',
    texts('a list of ids or names of segments', MOST_COMPARED),
    `Ids or exact names of up to ${MOST_COMPARED} segments to compare; repeatable.`,
    {
      wire: 'repeated',
      places: ['spec.compare', 'spec.filters.__compare_segment_ids__'],
      option: { name: 'compare', hint: 'id|name', description: `Rows for each of these segments, at most ${MOST_COMPARED}` },
    },
  ),
  per_segment: parameter(
    'per_segment',
    FLAG,
    'true with compare_segments: one matrix for each segment instead of one for all of them.',
  ),
  query_type: parameter('query_type', nameOf('text'), 'Which figure of the metric to answer.', {
    known_to: 'metrics',
    option: { name: 'query-type', hint: 'name', description: 'Which figure, as `plumbline fields <metric>` lists them' },
  }),
  type: parameter('type', nameOf('text'), 'Variant of the figure, where the endpoint has some.', {
    option: {
      name: 'type',
      hint: 'logo|revenue',
      description: 'What is counted as lost: customers (logo) or revenue; logo if absent',
    },
  }),
  format: parameter('format', choice(['json', 'csv', 'xlsx']), 'Format of the body; wins over the Accept header.'),
  money: parameter(
    'money',
    choice(['cents', 'units']),
    "How amounts are written: whole cents, or decimal text in units with the currency's digits. Default cents.",
    { option: { name: 'money', hint: 'cents|units', description: 'Amounts of --format json, csv and xlsx; cents if absent' } },
  ),
  order: parameter(
    'order',
    ORDER,
    'Fields of the rows to sort by, separated by commas, `-` before one that descends; nulls last.',
    {
      known_to: 'rows',
      option: { name: 'order', hint: 'fields', description: 'Sort rows by these fields, as in -mrr,plan_id' },
    },
  ),
  limit: parameter('limit', whole(1, 1000), 'Rows of the page, 1 to 1000. Default 100.', {
    known_to: 'rows',
    option: { name: 'limit', hint: 'number', description: 'Show so many rows at most' },
  }),
  offset: parameter('offset', whole(0, 1_000_000_000_000), 'Rows before the page. Default 0.', {
    known_to: 'rows',
    option: { name: 'offset', hint: 'number', description: 'Leave out so many rows first' },
  }),
  rest: parameter('rest', FLAG, 'true with limit: one more row, with is_rest, for all that are not shown.', {
    known_to: 'metrics',
  }),
  compare_to: parameter(
    'compare_to',
    choice(EARLIER),
    'previous: beside each figure that of as many days before, for whole calendar periods of as many periods; year: that of a year before.',
    {
      known_to: 'metrics',
      option: {
        name: 'compare-to',
        hint: 'previous|year',
        description: 'Beside each figure that of the time before, or of a year before',
      },
    },
  ),
  search: parameter(
    'search',
    text(),
    'Part of a customer name, e-mail address or external key, in capitals or not, or an id as a whole.',
    {
      known_to: 'records',
      option: { name: 'search', hint: 'text', description: 'Part of a name, e-mail address or external key, or an id' },
    },
  ),
  source_id: parameter('source_id', text(), 'Only this tenant of the engine.', {
    known_to: 'records',
    option: { name: 'source-id', hint: 'id', description: 'One source; all if absent' },
  }),
  customer_id: parameter('customer_id', text(), 'Only what belongs to the account of this id.', {
    known_to: 'records',
    option: { name: 'customer-id', hint: 'id', description: 'Only what belongs to this customer' },
  }),
  open_for_days: parameter('open_for_days', whole(0, 36_500), 'Only open invoices whose day is at least so many days ago.', {
    known_to: 'records',
    option: { name: 'open-for-days', hint: 'number', description: 'Only invoices that are open for at least so many days' },
  }),
  latest: parameter('latest', FLAG, 'true: of each pair of currencies only the newest rate.', { known_to: 'records' }),
  key: parameter('key', text('one key of an attribute'), 'Only the values of this attribute.', { known_to: 'records' }),
} as const satisfies Record<string, ParameterDefinition>

export type ParameterName = keyof typeof PARAMETERS

/** What the reader makes of a parameter's value. */
export type ParameterValue<Name extends ParameterName> =
  (typeof PARAMETERS)[Name] extends ParameterDefinition<infer T, string> ? T : never

/** Names of the options that give a parameter. */
export type ParameterOptionName = {
  [Name in ParameterName]: (typeof PARAMETERS)[Name] extends ParameterDefinition<unknown, infer Option> ? Option : never
}[ParameterName]

/** Every parameter, in the order of the table. */
export const ALL_PARAMETERS: readonly ParameterDefinition[] = Object.values(PARAMETERS)

/** The definition of a parameter; undefined for a name that the table does not have. */
export function parameterNamed(name: string): ParameterDefinition | undefined {
  return Object.hasOwn(PARAMETERS, name) ? PARAMETERS[name as ParameterName] : undefined
}

/** Parameters of later stages: known by name, refused until then, never ignored. */
export const STAGED_PARAMETERS: readonly string[] = [
  'explain',
  'forecast',
  'definitions',
  'grain',
  'pause',
  'fx',
  'nrr_reactivation',
  'refunds',
  'tax',
  'lifetime',
  'swap_window',
  'reactivation_window',
  'time_zone',
  'known_at',
]
