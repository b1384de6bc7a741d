import { expect } from 'vitest'
import type { AttributeType, AttributeValue } from '../../../src/core/attribute.ts'
import type { Answer, Engine, MetricDefinition } from '../../../src/engine/engine.ts'
import type { Registry } from '../../../src/metrics/registry.ts'
import { groupsByAttributes } from '../../../src/query/attributes.ts'
import { paramsForDays } from '../../../src/query/inputs.ts'
import { listed, type Row } from './segment-identities.ts'

type Typed = string | number | boolean
type Stored = Readonly<Record<string, { readonly type: AttributeType; readonly values: readonly AttributeValue[] }>>

/** The customers' values, found without any statement that groups. */
export interface AttributeOracle {
  readonly names: readonly { readonly source_id: string; readonly customer_id: string }[]
  /** The value of the attribute that a customer has, null for none. */
  valueOf(customer_id: unknown, key: string): Typed | null
  with(stored: Stored): AttributeOracle
}

interface Page {
  readonly total: number
  readonly rows: readonly object[]
}

/** The customers of an engine, and their values of the attributes that the billing engine owns. */
export async function attributeOracle(engine: Engine, keys: readonly string[]): Promise<AttributeOracle> {
  const pages = async (read: (offset: number) => Promise<Page>) => {
    const rows: Row[] = []
    for (let total = 1; rows.length < total; ) {
      const page = await read(rows.length)
      total = page.total
      rows.push(...(page.rows as readonly Row[]))
    }
    return rows
  }
  const names = (await pages(async (offset) => (await engine.list('customers', { limit: 1000, offset })).data as Page))
    .map(({ id, source_id }) => ({ customer_id: String(id), source_id: String(source_id) }))
    .toSorted((a, b) => (a.customer_id < b.customer_id ? -1 : 1))
  const values = new Map<string, Typed>()
  for (const key of keys) {
    const entries = await pages((offset) => engine.attributes.page({ key, limit: 1000, offset }))
    expect(entries.length, key).toBeGreaterThan(1)
    for (const { customer_id, value } of entries) values.set(`${customer_id} ${key}`, value as Typed)
  }
  return oracleOf(names, values)
}

function oracleOf(names: AttributeOracle['names'], values: ReadonlyMap<string, Typed>): AttributeOracle {
  return {
    names,
    valueOf: (customer_id, key) => values.get(`${customer_id} ${key}`) ?? null,
    with: (stored) => {
      const own = Object.entries(stored).flatMap(([key, attribute]) =>
        attribute.values.map(({ customer_id, value }) => [`${customer_id} ${key}`, jsonOf(value, attribute.type)] as const),
      )
      return oracleOf(names, new Map([...values, ...own]))
    },
  }
}

function jsonOf(value: string | boolean, type: AttributeType): Typed {
  if (type === 'number') return Number(value)
  return type === 'timestamp' ? `${String(value).replace(' ', 'T')}.000Z` : value
}

/** A question that can be grouped by attributes. */
export interface GroupingRequest {
  readonly name: string
  readonly metric: string
  readonly params: Readonly<Record<string, string>>
}

/** Every query that tells customers apart, in turn at a day or over a range, and cut into periods where it can be. */
export function groupingRequests({ metrics }: Pick<Registry, 'metrics'>, range: Record<'start' | 'end', string>) {
  let turn = 0
  return [...metrics.values()].flatMap(({ name: metric, queries }: MetricDefinition) =>
    Object.entries(queries).flatMap(([query_type, { inputs }]): GroupingRequest[] => {
      if (!groupsByAttributes(inputs, false)) return []
      const whole = paramsForDays(inputs, range)
      const dates = inputs.step === 'none' || turn++ % 2 === 0 ? whole : { ...range, [inputs.step]: 'quarter' }
      return [{ name: [metric, query_type, Object.keys(dates).at(-1)].join(' '), metric, params: { query_type, ...dates } }]
    }),
  )
}

/**
 * Columns that are no sums over customers: rates and averages, the sides of a balance, and numbers that rows share, of which a customer without a row
 * lacks its part.
 */
function notSummed({ meta }: Answer): ReadonlySet<string> {
  return new Set(meta.fields.filter(({ adds }) => adds === 'never').map(({ name }) => name))
}

/** The groups of an answer are what plain loops add up of the answer by customer, and together they are the answer without groups. */
export async function expectGroupedAsLoopsDo(
  engine: Engine,
  { metric, params }: Pick<GroupingRequest, 'metric' | 'params'>,
  key: string,
  oracle: AttributeOracle,
): Promise<void> {
  const name = `attr.${key}`
  const ask = async (...dimensions: string[]) => {
    const answer = await engine.query(metric, params, dimensions.length === 0 ? {} : { dimensions })
    const left = notSummed(answer)
    return listed(answer).map((row) => Object.fromEntries(Object.entries(row).filter(([column]) => !left.has(column))) as Row)
  }
  const [byCustomer, grouped, plain] = [await ask('customer_id'), await ask(name), await ask()]
  const wanted = byCustomer.map((row) => ({ ...row, [name]: oracle.valueOf(row['customer_id'], key) }))
  expect(sums(grouped, [name]), name).toEqual(sums(wanted, [name]))
  // The plain answer may have fewer figures.
  expect(sums(grouped, []), 'all groups together').toMatchObject(sums(plain, []))
  if (wanted.length > 0) expect(new Set(wanted.map((row) => row[name])).size).toBeGreaterThan(1)
}

/** Sums over customers by the other columns, without sums of nothing. */
function sums(rows: readonly Row[], names: readonly string[]): Readonly<Record<string, unknown>> {
  const found = new Map<string, Record<string, number>>()
  for (const row of rows) {
    const columns = Object.entries(row)
    const isKey = ([column, value]: readonly [string, unknown]) =>
      names.includes(column) || ((typeof value !== 'number' || column === 'months_since') && !/^(attr\.|customer_)/.test(column))
    const isAdded = ([column, value]: readonly [string, unknown]) =>
      typeof value === 'number' && column !== 'months_since' && !column.startsWith('attr.')
    const key = JSON.stringify(columns.filter(isKey).sort(([a], [b]) => (a < b ? -1 : 1)))
    const sum = found.get(key) ?? {}
    for (const [column, value] of columns.filter(isAdded)) sum[column] = (sum[column] ?? 0) + Number(value)
    found.set(key, sum)
  }
  return Object.fromEntries([...found].filter(([, sum]) => Object.values(sum).some((amount) => amount !== 0)))
}
