import { expect } from 'vitest'
import type { Answer, Engine } from '../../../src/engine/engine.ts'
import { groupedBy } from '../product/grouped-by.ts'
import type { NarrowedRequest } from '../product/narrowed-requests.ts'

export type Row = Readonly<Record<string, unknown>>

/** Ids of the segments that identities need: one, everybody else, everybody by an empty tree. */
export interface Ids {
  readonly some: string
  readonly others: string
  readonly everybody: string
}

/** Rates and averages: what no sum over customers is (D63). */
const RATIO = /_rate$|^(arpu|ltv|avg_revenue_per_customer)$/

/** Asks everything that the identities I5, I7 and I8 relate, and compares; yields all answers for further comparison. */
export async function expectIdentities(engine: Engine, request: NarrowedRequest, ids: Ids): Promise<readonly unknown[]> {
  const { metric, params, dimensions = [], union, added } = request
  const ask = (more: Readonly<Record<string, unknown>>, own: Readonly<Record<string, string>> = {}) =>
    engine.query(metric, { ...params, ...own }, { ...groupedBy(dimensions), ...more })
  const plain = await ask({})
  const some = await ask({ segment: ids.some })
  const others = await ask({ segment: ids.others })
  const alone = await ask({ compare: [ids.some] })
  const both = await ask({ compare: [ids.others, ids.some] })
  const everybody = await ask({ segment: ids.everybody })
  const name = JSON.stringify(request)

  expect(everybody.data, `empty tree: ${name}`).toEqual(plain.data)
  if (union === true) {
    expect(alone.data, `I7 ${name}`).toEqual(some.data)
    expect(both.data, `I8 union ${name}`).toEqual(plain.data)
  } else {
    expectBranch(alone, some, ids.some, `I7 ${name}`)
    expectBranch(both, some, ids.some, `I7 of two ${name}`)
    expectBranch(both, others, ids.others, `I7 of two ${name}`)
    expect(withoutZeros(added, [...listed(some), ...listed(others)]), `I8 ${name}`).toEqual(withoutZeros(added, listed(plain)))
    const order = listed(both).map((row) => row['segment_id'])
    expect(order, `order ${name}`).toEqual(order.toSorted((a, b) => Number(a === ids.some) - Number(b === ids.some)))
  }
  const answers = [plain, some, others, alone, both]
  if (union === true && 'query_type' in params && /cohort/.test(params['query_type'] ?? '')) {
    const split = await ask({ compare: [ids.some, ids.others] }, { per_segment: 'true' })
    expectBranch(split, some, ids.some, `per segment ${name}`)
    expectBranch(split, others, ids.others, `per segment ${name}`)
    answers.push(split)
  }
  return answers.map(({ data }) => data)
}

/** The rows of a branch are the rows under the filter; further rows fill in the groups that other branches have. */
function expectBranch(compared: Answer, filtered: Answer, id: string, name: string): void {
  expect(compared.kind).toBe('rows')
  expect(compared.columns[0], name).toBe('segment_id')
  const own = listed(compared)
    .filter((row) => row['segment_id'] === id)
    .map(({ segment_id: _id, segment_name: _name, ...row }) => row)
  if (filtered.kind !== 'rows') {
    const [row, ...rest] = own
    expect(rest, name).toEqual([])
    const wanted = filtered.kind === 'scalar' ? { [filtered.columns[0] ?? '']: filtered.data } : filtered.data
    expect(row, name).toMatchObject(wanted as object)
    return
  }
  const wanted = new Set(listed(filtered).map((row) => JSON.stringify(row)))
  const found = own.filter((row) => wanted.has(JSON.stringify(row)))
  expect(found.length, name).toBe(wanted.size)
  expect(
    own.filter((row) => !wanted.has(JSON.stringify(row))).filter((row) => !isFiller(row)),
    name,
  ).toEqual([])
}

function isFiller(row: Row): boolean {
  return Object.entries(row).every(
    ([key, value]) => value === 0 || typeof value !== 'number' || key === 'tenure_months' || key === 'active_at_start',
  )
}

/** The answer as rows; a bare figure under its name in the list form. */
export function listed({ data, kind, columns }: Answer): readonly Row[] {
  if (kind === 'scalar') return [{ [columns[0] ?? '']: data }]
  return (kind === 'object' ? [data] : data) as readonly Row[]
}

/** Sums of the fields that add up, by what else a row says, without groups of nothing. */
function withoutZeros(added: readonly string[], rows: readonly Row[]): Readonly<Record<string, readonly number[]>> {
  const sums = new Map<string, readonly number[]>()
  for (const row of rows) {
    const rest = Object.entries(row).filter(
      ([key]) => !added.includes(key) && !RATIO.test(key) && !/^segment_(id|name)$/.test(key),
    )
    const key = JSON.stringify(rest)
    const amounts = added.map((field) => Number(row[field] ?? 0))
    sums.set(
      key,
      amounts.map((amount, index) => amount + (sums.get(key)?.[index] ?? 0)),
    )
  }
  return Object.fromEntries(
    [...sums].filter(([, amounts]) => amounts.some((amount) => amount !== 0)).sort(([a], [b]) => (a < b ? -1 : 1)),
  )
}
