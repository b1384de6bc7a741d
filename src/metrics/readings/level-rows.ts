import { getOrCreate } from '../../core/get-or-create.ts'
import { eachInSlices, mapInSlices } from '../../core/slices.ts'
import { exactly } from '../../core/too-large.ts'
import { integerCell, textCell } from '../../ports/cells.ts'
import type { Row } from '../../ports/rows.ts'
import { type DimensionValue, dimensionValue } from '../../query/dimension-value.ts'
import type { Field } from '../../query/field.ts'
import type { Gaps, UnratedGap } from './gaps.ts'
import { addCents, checkTallied, type SizeLimits } from './groups.ts'

/** MRR by component, in the unit of the request. */
export interface Amounts {
  readonly subscription: number
  readonly usage: number
}

/** MRR of both components together. */
export function total(amounts: Amounts): number {
  return amounts.subscription + amounts.usage
}

/** Levels of one group, one per requested instant. */
export interface LevelGroup {
  readonly values: readonly DimensionValue[]
  readonly levels: readonly Amounts[]
}

/** A component of MRR. */
export type Component = keyof Amounts

interface Tally {
  readonly values: readonly DimensionValue[]
  readonly subscription: number[]
  readonly usage: number[]
}

interface GapTally {
  readonly unpriced: number[]
  readonly unrated: Readonly<Record<Component, number[]>>
  readonly from: Partial<Record<Component, string>>
  readonly through: Partial<Record<Component, string>>
}

export interface LevelTable {
  readonly groups: readonly LevelGroup[]
  gaps(components: readonly Component[], needsBase: boolean): Gaps
}

/**
 * Collects result rows by group. `slot` gives the index of a row's instant. With `cumulate`, rows are changes, and the level at
 * an instant is the sum of all changes up to this instant.
 */
export async function tabulateLevels(
  rows: readonly Row[],
  options: {
    readonly fields: readonly Field[]
    readonly instants: number
    readonly unit: 'base' | 'original'
    readonly cumulate: boolean
    readonly context: SizeLimits
    slot(row: Row): number
  },
): Promise<LevelTable> {
  const groups = new Map<string, Tally>()
  const currencies = new Map<string, GapTally>()
  const zeros = () => new Array<number>(options.instants).fill(0)
  const suffix = options.unit === 'base' ? 'base_cents' : 'cents'
  await eachInSlices(rows, (row) => {
    const slot = options.slot(row)
    const values = options.fields.map((field) => dimensionValue(row, field))
    const group = getOrCreate(groups, JSON.stringify(values), () => {
      checkTallied(options.context, (groups.size + 1) * options.instants)
      return { values, subscription: zeros(), usage: zeros() }
    })
    for (const component of ['subscription', 'usage'] as const) {
      group[component][slot] = addCents(group[component][slot] ?? 0, row, `${component}_${suffix}`)
    }
    const currency = textCell(row, 'fact_currency') ?? ''
    const gap = getOrCreate(currencies, currency, () => emptyGap(zeros))
    add(gap.unpriced, slot, integerCell(row, 'unpriced_count'))
    for (const component of ['subscription', 'usage'] as const) {
      add(gap.unrated[component], slot, integerCell(row, `${component}_unrated_count`))
      const from = textCell(row, `${component}_unrated_from`)
      if (from !== null && from < (gap.from[component] ?? '9999')) gap.from[component] = from
      const through = textCell(row, `${component}_unrated_through`)
      if (through !== null && through > (gap.through[component] ?? '')) gap.through[component] = through
    }
  })
  const finish = options.cumulate ? cumulate : (list: readonly number[]) => list
  return {
    groups: await mapInSlices([...groups.values()], ({ values, subscription, usage }) => {
      const usages = finish(usage)
      return {
        values,
        levels: finish(subscription).map((amount, index) => ({ subscription: amount, usage: usages[index] ?? 0 })),
      }
    }),
    gaps: (components, needsBase) => ({
      unpriced: components.includes('subscription')
        ? sum([...currencies.values()].map((gap) => Math.max(...finish(gap.unpriced))))
        : 0,
      unrated: needsBase ? [...currencies].flatMap(([currency, gap]) => unratedGap(currency, gap, components, finish)) : [],
    }),
  }
}

function emptyGap(zeros: () => number[]): GapTally {
  return { unpriced: zeros(), unrated: { subscription: zeros(), usage: zeros() }, from: {}, through: {} }
}

function unratedGap(
  currency: string,
  gap: GapTally,
  components: readonly Component[],
  finish: (list: readonly number[]) => readonly number[],
): readonly UnratedGap[] {
  const count = sum(components.map((component) => Math.max(...finish(gap.unrated[component]))))
  const from = components.flatMap((component) => gap.from[component] ?? []).sort()[0]
  const through =
    components
      .flatMap((component) => gap.through[component] ?? [])
      .sort()
      .at(-1) ?? from
  if (count === 0 || from === undefined || through === undefined) return []
  return [{ currency, from: from.slice(0, 10), through: through.slice(0, 10), count }]
}

function cumulate(changes: readonly number[]): readonly number[] {
  let total = 0
  return changes.map((change) => {
    total = exactly(total + change, 'mrr')
    return total
  })
}

function add(list: number[], index: number, amount: number): void {
  list[index] = (list[index] ?? 0) + amount
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
