import type { InlineRelation } from '../../../../src/connector-kit/connector.ts'

/** Price rows of a phase in a currency as objects, those of all tenants. */
export function priceRowsOf(
  relations: readonly InlineRelation[],
  phase: string,
  currency: string,
): Readonly<Record<string, unknown>>[] {
  const [lines, prices] = ['price_line', 'price'].map((name) => relations.find((relation) => relation.name === name))
  const wanted = new Set((lines?.rows ?? []).filter((row) => row[2] === phase && row[3] === currency).map((row) => row[0]))
  return (prices?.rows ?? [])
    .filter((row) => wanted.has(row[0] ?? null))
    .map((row) => Object.fromEntries((prices?.columns ?? []).map((column, index) => [column.name, row[index]])))
}
