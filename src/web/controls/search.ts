import { readPanel } from './panel.ts'

/** Periods to compare with, as the API names them (http-api.md 1.9). */
export const COMPARISONS = ['previous', 'year'] as const
export type CompareTo = (typeof COMPARISONS)[number]

/**
 * The state of a page in the query string. Names and values are those of the API, so that an address reads like the page's API
 * calls.
 */
export interface Search {
  /** Named range (http-api.md 1.9). Without `range`, `start` and `end` the default applies. */
  readonly range?: string | undefined
  readonly start?: string | undefined
  readonly end?: string | undefined
  /** Length of a period. */
  readonly interval?: string | undefined
  readonly filter?: readonly string[] | undefined
  /** Name of the tenant to filter by. Absent: all tenants. */
  readonly tenant?: string | undefined
  /** Id of the segment to filter by. */
  readonly segment?: string | undefined
  readonly compare_segments?: readonly string[] | undefined
  /** The period to compare with: the one before, or the same days a year before. */
  readonly compare_to?: CompareTo | undefined
  /** Dimensions to group by. */
  readonly dimensions?: string | undefined
  /** For lists. */
  readonly search?: string | undefined
  readonly order?: string | undefined
  readonly offset?: number | undefined
  readonly status?: string | undefined
  readonly country?: string | undefined
  readonly currency?: string | undefined
  /** For the audit log. */
  readonly action?: string | undefined
  readonly actor_id?: string | undefined
  /** The view of a page. */
  readonly view?: string | undefined
  /** The metric in Explore. */
  readonly metric?: string | undefined
  /** The definition sets between which the bridge goes. */
  readonly from?: string | undefined
  readonly to?: string | undefined
  /** Length of the cohorts in Retention, if it is not a month. */
  readonly cohorts?: 'quarter' | undefined
  /** Measure of the cohorts in Retention, if it is not customers. */
  readonly kept?: 'net' | 'gross' | undefined
  /** First day of the month to which Renewals narrows its list, or of the month of the Ledger. */
  readonly month?: string | undefined
  /** Day of the receivables in the Ledger, if it is not the last one of its month. */
  readonly at?: string | undefined
  /** The open side panel, see `panelText`. */
  readonly panel?: string | undefined
}

/** Parameters that stay when the user changes the page. */
const KEPT = ['range', 'start', 'end', 'interval', 'filter', 'tenant', 'segment', 'compare_segments', 'compare_to'] as const

type Raw = Readonly<Record<string, unknown>>

/** Names of the state. All other parameters of an address are foreign. */
const NAMES: Readonly<Record<keyof Search, true>> = {
  range: true,
  start: true,
  end: true,
  interval: true,
  filter: true,
  tenant: true,
  segment: true,
  compare_segments: true,
  compare_to: true,
  dimensions: true,
  search: true,
  order: true,
  offset: true,
  status: true,
  country: true,
  currency: true,
  action: true,
  actor_id: true,
  view: true,
  metric: true,
  from: true,
  to: true,
  cohorts: true,
  kept: true,
  month: true,
  at: true,
  panel: true,
}

/** Reads a query string. Keeps foreign parameters unchanged, such as an issuer's `code`. */
export function readAddress(text: string): Raw {
  const raw = parseSearch(text)
  const foreign = Object.entries(raw).filter(([name]) => !Object.hasOwn(NAMES, name))
  return { ...Object.fromEntries(foreign), ...readSearch(raw) }
}

/** Reads the state. A value that the API refuses stays, so that the page can show the refusal. */
export function readSearch(raw: Raw): Search {
  const offset = Number(text(raw, 'offset'))
  return withoutEmpty({
    range: text(raw, 'range'),
    start: text(raw, 'start'),
    end: text(raw, 'end'),
    interval: text(raw, 'interval'),
    filter: list(raw, 'filter'),
    tenant: text(raw, 'tenant'),
    segment: text(raw, 'segment'),
    compare_segments: list(raw, 'compare_segments'),
    compare_to: COMPARISONS.find((one) => one === text(raw, 'compare_to')),
    // A legend shows names of tenants, not their ids.
    dimensions: text(raw, 'dimensions')?.replace(/(^|,)source_id(?=,|$)/, '$1tenant'),
    search: text(raw, 'search'),
    order: text(raw, 'order'),
    // Without a valid offset a list begins with its first row, and says so.
    offset: Number.isInteger(offset) && offset > 0 ? offset : undefined,
    status: text(raw, 'status'),
    country: text(raw, 'country'),
    currency: text(raw, 'currency'),
    action: text(raw, 'action'),
    actor_id: text(raw, 'actor_id'),
    month: text(raw, 'month'),
    at: text(raw, 'at'),
    view: text(raw, 'view'),
    metric: text(raw, 'metric'),
    from: text(raw, 'from'),
    to: text(raw, 'to'),
    cohorts: text(raw, 'cohorts') === 'quarter' ? 'quarter' : undefined,
    kept: (['net', 'gross'] as const).find((one) => one === text(raw, 'kept')),
    panel: panelIn(raw),
  })
}

/** The part of the state that stays when the user changes the page. */
export function lastingSearch(search: Search): Search {
  return Object.fromEntries(KEPT.flatMap((name) => (search[name] === undefined ? [] : [[name, search[name]]])))
}

/** The state without absent and empty values, so that addresses stay short. */
export function withoutEmpty(search: Search): Search {
  return Object.fromEntries(
    Object.entries(search).filter(
      ([, value]) => value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0),
    ),
  )
}

/** Parses a query string. A name may have several values. */
function parseSearch(text: string): Record<string, string | string[]> {
  const read: Record<string, string | string[]> = {}
  for (const [name, value] of new URLSearchParams(text)) {
    const before = Object.hasOwn(read, name) ? read[name] : undefined
    read[name] = before === undefined ? value : [before, value].flat()
  }
  return read
}

/** Characters of values that need no escape in a query string. */
const READABLE: readonly (readonly [escaped: string, plain: string])[] = [
  ['%3D', '='],
  ['%2C', ','],
  ['%2F', '/'],
  ['%3A', ':'],
  ['%3B', ';'],
  ['%3F', '?'],
]

/** The reverse of `parseSearch`. Keeps values readable. */
export function stringifySearch(search: Raw): string {
  const written = new URLSearchParams()
  for (const [name, value] of Object.entries(search))
    for (const one of [value].flat()) if (one !== undefined && one !== null && one !== '') written.append(name, String(one))
  const text = READABLE.reduce((all, [escaped, plain]) => all.replaceAll(escaped, plain), written.toString())
  return text === '' ? '' : `?${text}`
}

function text(raw: Raw, name: string): string | undefined {
  const value = [raw[name]].flat()[0]
  return value === undefined || value === null || value === '' ? undefined : String(value)
}

function list(raw: Raw, name: string): string[] | undefined {
  const value = raw[name]
  return value === undefined ? undefined : [...new Set([value].flat().map(String))]
}

function panelIn(raw: Raw): string | undefined {
  const panel = text(raw, 'panel')
  return readPanel(panel) === undefined ? undefined : panel
}
