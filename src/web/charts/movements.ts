import { numberIn, type Row } from '../api/use-answer.ts'
import type { Step } from '../format/days.ts'
import { areForecast, placesOf } from './places.ts'
import type { ChartSpec, Colour } from './spec.ts'

/** Kinds of movements in display order, with their colours. */
export const MOVEMENTS: readonly {
  readonly key: string
  readonly label: string
  readonly colour: Colour
}[] = [
  { key: 'new', label: 'New', colour: 'movement-new' },
  { key: 'expansion', label: 'Expansion', colour: 'movement-expansion' },
  { key: 'reactivation', label: 'Reactivation', colour: 'movement-reactivation' },
  { key: 'contraction', label: 'Contraction', colour: 'movement-contraction' },
  { key: 'churn', label: 'Churn', colour: 'movement-churn' },
  { key: 'transfer', label: 'Transfer', colour: 'movement-other' },
  { key: 'fx_effect', label: 'Exchange rates', colour: 'movement-other' },
]

interface Answered {
  readonly currency: string
  readonly dayThrough: string | undefined
}

const amountOf = (row: Row | undefined, key: string) => numberIn(row, key) ?? 0

/** Movements as bars above and below zero, with the net as a line. */
export function movementSpec(rows: readonly Row[], step: Step, { currency, dayThrough }: Answered): ChartSpec | undefined {
  const present = MOVEMENTS.filter(({ key }) => rows.some((row) => amountOf(row, key) !== 0))
  if (present.length === 0) return undefined
  const bars = present.map(({ key, label, colour }) => ({ name: label, colour, values: rows.map((row) => amountOf(row, key)) }))
  const net = {
    name: 'Net new MRR',
    colour: 'total' as const,
    values: rows.map((row) => amountOf(row, 'net_change')),
    isLine: true,
  }
  return { kind: 'bars', ...placesOfRows(rows, step, dayThrough), series: [...bars, net], unit: 'money', currency }
}

/** MRR bridge of the whole range: start, each kind of movement, end. */
export function waterfallSpec(rows: readonly Row[], currency: string): ChartSpec | undefined {
  const [sums] = addable(rows)
  if (sums === undefined) return undefined
  const present = MOVEMENTS.filter(({ key }) => amountOf(sums, key) !== 0)
  const steps = [
    { name: 'Start', colour: 'total' as const, value: amountOf(sums, 'starting_mrr') },
    ...present.map(({ key, label, colour }) => ({ name: label, colour, value: amountOf(sums, key) })),
    { name: 'End', colour: 'total' as const, value: amountOf(sums, 'ending_mrr') },
  ]
  const spec = stepsSpec(steps, currency)
  return spec && { ...spec, ...(areForecast(rows) ? { openFrom: 0, isForecast: true } : {}) }
}

/** A step of a waterfall of amounts. */
interface WaterfallStep {
  readonly name: string
  readonly colour: Colour
  readonly value: number
}

/** Amounts from a first level to a last one; undefined if all are 0. */
export function stepsSpec(steps: readonly WaterfallStep[], currency: string): ChartSpec | undefined {
  if (steps.every(({ value }) => value === 0)) return undefined
  return {
    kind: 'waterfall',
    labels: steps.map(({ name }) => name),
    series: steps.map(({ name, colour, value }, at) => ({
      name,
      colour,
      values: steps.map((_, place) => (place === at ? value : null)),
    })),
    totals: [0, steps.length - 1],
    unit: 'money',
    currency,
  }
}

/**
 * Combines all periods into one row: MRR at the start of the first period, sums of the movements, MRR at the end of the last
 * period.
 */
export function addable(rows: readonly Row[]): readonly Row[] {
  const [first] = rows
  const last = rows.at(-1)
  if (first === undefined || last === undefined) return []
  const sum = (key: string) => rows.reduce((total, row) => total + amountOf(row, key), 0)
  const kinds = Object.fromEntries([...MOVEMENTS.map(({ key }) => key), 'net_change'].map((key) => [key, sum(key)]))
  return [{ starting_mrr: first['starting_mrr'], ...kinds, ending_mrr: last['ending_mrr'] }]
}

/** MRR gained divided by MRR lost; null in a period without losses. */
export function quickRatioSpec(rows: readonly Row[], step: Step, { currency, dayThrough }: Answered): ChartSpec | undefined {
  const values = rows.map((row) => {
    const lost = -(amountOf(row, 'contraction') + amountOf(row, 'churn'))
    const won = amountOf(row, 'new') + amountOf(row, 'expansion') + amountOf(row, 'reactivation')
    return lost === 0 ? null : won / lost
  })
  if (values.every((value) => value === null)) return undefined
  const series = [{ name: 'Quick ratio', colour: 'series-1' as const, values }]
  return { kind: 'line', ...placesOfRows(rows, step, dayThrough), series, unit: 'ratio', currency }
}

function placesOfRows(rows: readonly Row[], step: Step, dayThrough: string | undefined) {
  const periods = rows.map((row) => String(row['period']))
  return placesOf(periods, step, { dayThrough, isForecast: areForecast(rows) })
}
