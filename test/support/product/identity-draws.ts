import fc from 'fast-check'
import type { Engine } from '../../../src/engine/engine.ts'
import { offerOf } from '../../../src/execution/plan/capability.ts'
import { filterableFields, groupableFields } from '../../../src/query/inputs.ts'
import { PROPERTY_FACTOR } from '../data/property-runs.ts'
import type { IdentityCase } from './identity-cases.ts'
import { type Filter, mildFor } from './offered-requests.ts'

type Row = Readonly<Record<string, string | number | boolean | null>>

const DAY_MS = 86_400_000

/** The drawn numbers: places in lists whose length the data and the metrics decide. */
const drawn = fc.record({
  from: fc.nat({ max: 9999 }),
  length: fc.constantFrom(1, 31, 92, 365, 800),
  group: fc.nat({ max: 999 }),
  filter: fc.option(fc.nat({ max: 999 }), { freq: 2, nil: null }),
  value: fc.nat({ max: 999 }),
})
type Drawn = Parameters<Parameters<typeof drawn.map>[0]>[0]

/** A question that several queries take alike. */
export interface Draw {
  readonly range: { readonly start: string; readonly end: string }
  /** None or one. */
  readonly dimensions: readonly string[]
  readonly filters: Readonly<Record<string, unknown>>
}

/** Names that every one of these queries offers; the rest would be refused by one of them. */
export interface Accepted {
  readonly groups: readonly string[]
  readonly filters: readonly { readonly key: string; readonly type: Filter['type'] }[]
}

/** Ranges alone. */
export const NOTHING_ACCEPTED: Accepted = { groups: [], filters: [] }

/** The inputs that all queries named `metric.query_type` accept, without instants that narrow only some counts. */
export function acceptedTogether(
  { engine, capabilityOf = () => 'exact' }: Pick<IdentityCase, 'engine' | 'capabilityOf'>,
  names: readonly string[],
): Accepted {
  const offers = names.map((name) => {
    const [metric = '', query = ''] = name.split('.')
    const declared = engine.metric(metric)?.queries[query]?.inputs
    if (declared === undefined) throw new Error(`no query ${name}`)
    const inputs = offerOf(declared, capabilityOf)
    return { groups: groupableFields(inputs, false), filters: filterableFields({ ...inputs, time_fields: [] }, false) }
  })
  const inAll = (key: string, which: 'groups' | 'filters') =>
    offers.every((inputs) => inputs[which].length === 0 || inputs[which].some((field) => field.key === key))
  const union = (which: 'groups' | 'filters') => [
    ...new Map(offers.flatMap((inputs) => inputs[which].map((f) => [f.key, f]))).values(),
  ]
  return {
    groups: union('groups').flatMap(({ key }) => (inAll(key, 'groups') ? [key] : [])),
    filters: union('filters').filter(({ key }) => inAll(key, 'filters')),
  }
}

/** Checks a property for a drawn range, grouping and filters, the same for the same seed and data; a failure is shrunk and shown. */
export async function checkDraws(
  data: IdentityCase,
  offered: Accepted,
  { seed, runs = 1 }: { readonly seed: number; readonly runs?: number },
  check: (draw: Draw) => Promise<void>,
): Promise<void> {
  const draws = drawn.map((one) => placed(one, data, offered))
  await fc.assert(fc.asyncProperty(draws, check), { seed: data.seed + seed, numRuns: runs * PROPERTY_FACTOR })
}

function placed({ from, length, group, filter, value }: Drawn, data: IdentityCase, offered: Accepted): Draw {
  const first = Date.parse(data.first) + (from % data.days) * DAY_MS
  const range = { start: dayOf(first), end: dayOf(first + (length - 1) * DAY_MS) }
  // Place 0 is no grouping, to which a failure shrinks.
  const dimensions = [[], ...offered.groups.map((key) => [key])][group % (offered.groups.length + 1)] ?? []
  const field = filter === null ? undefined : offered.filters[filter % offered.filters.length]
  if (field === undefined) return { range, dimensions, filters: {} }
  const known = data.values.get(field.key)
  const asked = known === undefined ? mildFor(field) : (known[value % known.length] ?? { is_empty: true })
  return { range, dimensions, filters: { [field.key]: asked } }
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

/** Rows of an answer. */
export async function rowsOf(engine: Engine, name: string, params: object, spec: object = {}): Promise<readonly Row[]> {
  const [metric = '', query_type = ''] = name.split('.')
  return (await engine.query(metric, { query_type, ...params }, { ...spec })).data as readonly Row[]
}

/** Sum of a measure. */
export function total(rows: readonly Row[], measure: string): number {
  return rows.reduce((sum, row) => sum + Number(row[measure]), 0)
}
