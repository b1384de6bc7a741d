import { expect } from 'vitest'
import type { Engine } from '../../../src/engine/engine.ts'
import { groupableFields, paramsForDays } from '../../../src/query/inputs.ts'
import { listed, type Row } from './segment-identities.ts'

/** A question that can be grouped, with the dimensions that it offers. */
export interface SliceRequest {
  readonly metric: string
  readonly params: Readonly<Record<string, string>>
  readonly dimensions: readonly string[]
}

/** Every query that offers dimensions and takes segments, at a day, over a range and cut into periods as far as it can be. */
export function sliceRequests(engine: Pick<Engine, 'metrics' | 'metric'>, range: Record<'start' | 'end', string>) {
  return engine.metrics().flatMap((metric) =>
    Object.entries(engine.metric(metric)?.queries ?? {}).flatMap(([query_type, { inputs }]): SliceRequest[] => {
      if (inputs.compare === 'none') return []
      const ask = (isSeries: boolean, params: Readonly<Record<string, string>>) => {
        // Key columns are there whatever is asked for, with rows of nothing.
        const groupable = groupableFields(inputs, isSeries).map(({ key }) => key)
        const dimensions = groupable.filter((key) => !inputs.key_columns.includes(key))
        return dimensions.length === 0 ? [] : [{ metric, params: { query_type, ...params }, dimensions }]
      }
      const cut = inputs.step === 'none' ? [] : ask(true, { ...range, [inputs.step]: 'quarter' })
      return [...ask(false, paramsForDays(inputs, range)), ...cut]
    }),
  )
}

/** Where the drawn numbers lead: which dimension, which of the values that it has. */
export interface SliceDraw {
  readonly dimension: number
  readonly value: number
}

/** The extent of a comparison: how many rows, and how many amounts. */
export interface Sliced {
  readonly rows: number
  readonly amounts: number
}

/**
 * A filter gives the row of its group (I6), under whatever else narrows or is compared: with the dimension asked for too the same rows,
 * without it the same figures.
 */
export async function expectSlice(
  engine: Engine,
  { metric, params, dimensions }: SliceRequest,
  draw: SliceDraw,
  narrowed: Readonly<Record<string, unknown>>,
): Promise<Sliced> {
  const dimension = dimensions[draw.dimension % dimensions.length] ?? ''
  const ask = async (spec: Readonly<Record<string, unknown>>) =>
    listed(await engine.query(metric, params, { ...narrowed, ...spec }))
  const grouped = await ask({ dimensions: [dimension] })
  const values = [...new Set(grouped.map((row) => row[dimension] ?? null))]
  // Empty text and no value are two groups, and one filter takes both.
  const askable = values.filter((value) => value !== '' && (value !== null || !values.includes('')))
  const wanted = askable[draw.value % askable.length]
  if (wanted === undefined) return { rows: 0, amounts: 0 }
  const filters = { [dimension]: wanted === null ? { is_empty: true } : wanted }
  const name = JSON.stringify({ metric, params, dimension, wanted, narrowed })
  const own = grouped.filter((row) => (row[dimension] ?? null) === wanted)
  expect(await ask({ dimensions: [dimension], filters }), `I6 ${name}`).toEqual(own)
  // Grouped by currency amounts are in it, filtered by it they are in the base currency (http-api.md 1.3).
  if (dimension !== 'currency') {
    const bare = own.map(({ [dimension]: _value, ...row }) => row)
    expectFigures(await ask({ filters }), bare, `I6 without the dimension ${name}`)
  }
  return { rows: own.length, amounts: own.filter(saysSomething).length }
}

/** Rows that say something are the same; an answer without dimensions may have further ones of nothing, and fewer fields. */
function expectFigures(found: readonly Row[], wanted: readonly Row[], name: string): void {
  const isFigure = found.length === 1 && wanted.length === 1
  const [rows, expected] = isFigure ? [found, wanted] : [found.filter(saysSomething), wanted.filter(saysSomething)]
  expect(rows.length, name).toBe(expected.length)
  for (const [index, row] of rows.entries()) expect(expected[index], name).toMatchObject(row)
}

function saysSomething(row: Row): boolean {
  return Object.values(row).some((value) => typeof value === 'number' && value !== 0)
}
