import type { Answer } from '../../../engine/engine.ts'
import { numberText, windowText } from '../cells.ts'
import { recordsOf, unitsOfColumns } from '../table.ts'
import { type Block, type Figure, type Shown, tableBlock } from './briefing.ts'
import type { SavedQuestion } from './saved-question.ts'

/** Most rows of a table, periods of a series, and groups of a series. */
const MOST_ROWS = 50
const MOST_PERIODS = 60
const MOST_GROUPS = 6

type Row = Readonly<Record<string, unknown>>

/** Title and page of a block. */
interface Place {
  readonly title: string
  readonly page: string
}

/** A chart as a block: its number, its table, or a row for each period with a column for each group. `warn` gets what is left out. */
export function chartBlock(place: Place, question: SavedQuestion, answer: Answer, warn: (sentence: string) => void): Block {
  if (question.form === 'number') return { kind: 'figures', ...place, figures: [figureOf(place.title, question.measure, answer)] }
  const shown = inOwnCurrencies(answer)
  if (!question.isSeries || hasSeveralRows(question, shown)) return tableOf(place, question, shown)
  return question.groups.length === 0 ? seriesBlock(place, question, shown) : pivotBlock(place, question, shown, warn)
}

function figureOf(title: string, measure: string, answer: Answer): Figure {
  const units = unitsOfColumns(answer)
  const unit = units.get(measure) ?? units.get(answer.columns[0] ?? '') ?? 'count'
  const { value, change } = numbersOf(answer, measure)
  const { days } = answer.meta
  const text = days === undefined ? 'now' : days.start === days.end ? `at the end of ${days.end}` : windowText(days)
  return { title, value, unit, days: text, ...(change !== null && { change }) }
}

/** The number of an answer, and its change since the earlier days. The rows of a list add up. */
function numbersOf({ data, kind, ...answer }: Answer, measure: string): { value: number | null; change: number | null } {
  if (kind === 'scalar') return { value: numberIn({ data }, 'data'), change: null }
  const records = recordsOf({ data, kind, ...answer })
  const [first] = records
  if (kind === 'object' && first !== undefined && Object.hasOwn(first, 'value'))
    return { value: numberIn(first, 'value'), change: numberIn(first, 'change') }
  const sum = (name: string) => {
    const known = records.flatMap((row) => numberIn(row, name) ?? [])
    return known.length === 0 ? null : known.reduce((before, one) => before + one, 0)
  }
  return { value: sum(measure), change: sum(`change_${measure}`) }
}

function numberIn(row: Row, name: string): number | null {
  const value = row[name]
  return typeof value === 'number' ? value : null
}

/** An answer whose amounts are in the currency of each row has them as texts: one currency cannot stand for all. */
function inOwnCurrencies(answer: Answer): Answer {
  if (answer.meta.amounts.currency !== 'original') return answer
  const units = unitsOfColumns(answer)
  const isOwn = (name: string) => units.get(name) === 'money' && !name.endsWith('_base_cents')
  const data = recordsOf(answer).map((row) => {
    const currency = typeof row['currency'] === 'string' ? row['currency'] : ''
    const texts = Object.entries(row).map(([name, value]) => {
      const isAmount = isOwn(name) && typeof value === 'number'
      return [name, isAmount ? `${numberText(value, 'money', currency)} ${currency}` : value] as const
    })
    return Object.fromEntries(texts)
  })
  const fields = answer.meta.fields.map(({ unit, ...field }) =>
    isOwn(field.name) ? { ...field, holds: 'other' as const } : { ...field, ...(unit !== undefined && { unit }) },
  )
  return { ...answer, data, kind: 'rows', meta: { ...answer.meta, fields } }
}

/** A table with its groups and the measure first, as the page has them. */
function tableOf(place: Place, { groups, measure }: SavedQuestion, answer: Answer): Block {
  const leading = [...groups, measure].filter((name) => answer.columns.includes(name))
  const columns = [...leading, ...answer.columns.filter((name) => !leading.includes(name))]
  return tableBlock(answer, { ...place, columns, most: MOST_ROWS })
}

const PERIOD = 'period'

/** True if a period has several rows of one group, which no column would tell apart. */
function hasSeveralRows({ groups }: SavedQuestion, answer: Answer): boolean {
  const rows = recordsOf(answer)
  return new Set(rows.map((row) => JSON.stringify([PERIOD, ...groups].map((name) => row[name])))).size < rows.length
}

function seriesBlock(place: Place, { measure }: SavedQuestion, answer: Answer): Block {
  const rows = recordsOf(answer)
  const last = { ...answer, data: rows.slice(-MOST_PERIODS), kind: 'rows' } as const
  const block = tableBlock(last, { ...place, columns: [PERIOD, measure], hasBars: true })
  return block.kind === 'table' ? { ...block, more: Math.max(0, rows.length - MOST_PERIODS) } : block
}

/** A row for each period, and a column for each of the largest groups. */
function pivotBlock(place: Place, { measure, groups }: SavedQuestion, answer: Answer, warn: (sentence: string) => void): Block {
  const rows = recordsOf(answer)
  const nameOf = (row: Row) => groups.map((name) => String(row[name] ?? 'none')).join(', ')
  const periods = [...new Set(rows.map((row) => String(row[PERIOD])))].sort()
  const all = [...new Set(rows.map(nameOf))].map((name) => {
    const own = rows.filter((row) => nameOf(row) === name)
    const byPeriod = new Map(own.map((row) => [String(row[PERIOD]), cellOf(row[measure])] as const))
    return { name, byPeriod, size: sizeOf(periods.map((period) => byPeriod.get(period))) }
  })
  const shown = all.toSorted((one, other) => other.size - one.size || (one.name < other.name ? -1 : 1)).slice(0, MOST_GROUPS)
  if (shown.length < all.length) warn(`"${place.title}" has its ${MOST_GROUPS} largest groups of ${all.length}.`)
  const unit = unitsOfColumns(answer).get(measure)
  const last = periods.slice(-MOST_PERIODS)
  return {
    ...{ kind: 'table', ...place, more: periods.length - last.length, hasBars: false },
    columns: [{ title: 'Period' }, ...shown.map(({ name }) => ({ title: name, ...(unit !== undefined && { unit }) }))],
    rows: last.map((period) => [period, ...shown.map(({ byPeriod }) => byPeriod.get(period) ?? null)]),
  }
}

function cellOf(value: unknown): Shown {
  return typeof value === 'number' || typeof value === 'string' ? value : null
}

// By the last value, then by the largest one, so that groups that are large today come first.
function sizeOf(values: readonly (Shown | undefined)[]): number {
  const sizes = values.map((value) => (typeof value === 'number' ? Math.abs(value) : 0))
  return (sizes.at(-1) ?? 0) * 1_000 + Math.max(0, ...sizes)
}
