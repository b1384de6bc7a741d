import { isDeepStrictEqual } from 'node:util'
import { dayIn, UTC } from '../../../core/calendar.ts'
import type { Unit } from '../../../core/column.ts'
import { AppError } from '../../../core/errors.ts'
import type { ComparedGoal } from '../../../core/goal.ts'
import type { Answer, AskOptions, Engine } from '../../../engine/engine.ts'
import { recordsOf, unitsOfColumns } from '../table.ts'

/** A value of a block: an amount in cents of the base currency, another number, or a text. */
export type Shown = number | string | null

/**
 * A figure with its days in words, such as `at the end of 2026-11-15`. `change` is the difference to an earlier day, in the same unit. `goal` is what it is
 * compared with.
 */
export interface Figure {
  readonly title: string
  readonly value: Shown
  readonly unit: Unit
  readonly days: string
  readonly change?: number
  readonly goal?: ComparedGoal
}

/** A column of a table. A column without a unit holds texts. */
export interface BlockColumn {
  readonly title: string
  readonly unit?: Unit
}

/** A part of a briefing. `page` is the path of the dashboard page with the same numbers. */
export type Block = { readonly title: string; readonly page: string } & (
  | { readonly kind: 'figures'; readonly figures: readonly Figure[] }
  | {
      readonly kind: 'table'
      readonly columns: readonly BlockColumn[]
      readonly rows: readonly (readonly Shown[])[]
      /** Rows that are left out. */
      readonly more: number
      /** True if the first column has periods. Bars then show the second column. */
      readonly hasBars: boolean
    }
  | { readonly kind: 'sentences'; readonly sentences: readonly string[] }
)

/** The content of everything that leaves the product: blocks, and the facts that make them believable. */
export interface Briefing {
  /** `weekly`, `board`, the id of a dashboard, or `alert`. */
  readonly name: string
  readonly title: string
  /** The days that it is about. */
  readonly days: Days
  /** The instant up to which the data is complete. Null: it is not known. */
  readonly data_through: string | null
  readonly base_currency: string
  /** The zone of the days; absent: UTC. */
  readonly time_zone?: string
  readonly definitions: string
  readonly blocks: readonly Block[]
  /** Blocks that cannot be shown, with the reason. */
  readonly left_out: readonly { readonly title: string; readonly reason: string }[]
  readonly warnings: readonly string[]
}

export const BRIEFING_NAMES = ['weekly', 'board'] as const
export type BriefingName = (typeof BRIEFING_NAMES)[number]

export interface Days {
  readonly start: string
  readonly end: string
}

/** The questions of one block. `ask` remembers each answer for the facts of the briefing. */
export interface Asking {
  readonly engine: Engine
  readonly today: string
  readonly days: Days
  readonly options: AskOptions
  /** Adds an answer to those that the facts of the briefing come from. */
  readonly seen: (answer: Answer) => Answer
  /** Adds a sentence about what a block does not know. */
  readonly warn: (sentence: string) => void
}

/** A block to be: undefined if there is nothing to say. */
export interface Part {
  readonly title: string
  /** True if it is about what is to come, so that the same question has another answer on another day. */
  readonly isAhead?: true
  readonly ask: (asking: Asking) => Promise<Block | undefined>
}

/** A block is left out. `title` is the name to show for it, and `reason` a sentence. */
export class LeftOut extends Error {
  readonly left: Briefing['left_out'][number]

  constructor(title: string, reason: string) {
    super(reason)
    this.left = { title, reason }
  }
}

/** A briefing to be. */
export interface BriefingPlan {
  readonly name: string
  readonly daysOf: (today: string) => Days
  /** True if its days go up to now, so that no data lacks. */
  readonly isRunning?: true
  readonly titleOf: (days: Days) => string
  readonly parts: readonly Part[]
}

/** Refusals that only mean that there is no such block. */
const LACKING: readonly string[] = ['unsupported_by_connector']
/** How often a briefing is asked if its first block changes meanwhile. */
const ATTEMPTS = 3

const CHANGED = 'The data changed while this was made, so blocks may be of different moments.'

/**
 * Asks all blocks of a briefing. If its first block differs at the end, something has changed meanwhile, and everything is asked again. A briefing
 * whose data changes all the time says so. AppError of any question, but for blocks that the billing engine cannot supply and those that are left out.
 */
export async function makeBriefing(
  plan: BriefingPlan,
  engine: Engine,
  today: string,
  options: AskOptions,
  progress: (title: string) => void = () => {},
): Promise<Briefing> {
  for (let attempt = 1; ; attempt += 1) {
    const { briefing, isStill } = await askOnce(plan, engine, today, options, progress)
    if (await isStill()) return briefing
    if (attempt === ATTEMPTS) return { ...briefing, warnings: [CHANGED, ...briefing.warnings] }
  }
}

async function askOnce(
  { name, daysOf, titleOf, parts, isRunning }: BriefingPlan,
  engine: Engine,
  today: string,
  options: AskOptions,
  progress: (title: string) => void,
) {
  const days = daysOf(today)
  const answers: Answer[] = []
  const seen = (answer: Answer) => {
    answers.push(answer)
    return answer
  }
  const warnings: string[] = []
  const asking = { engine, today, days, options, seen, warn: (sentence: string) => void warnings.push(sentence) }
  const found: { readonly part: Part; readonly block: Block }[] = []
  const left_out: Briefing['left_out'][number][] = []
  for (const part of parts) {
    const { title, ask } = part
    progress(title)
    try {
      const block = await ask(asking)
      if (block !== undefined) found.push({ part, block })
    } catch (error) {
      if (error instanceof LeftOut) left_out.push(error.left)
      else if (error instanceof AppError && LACKING.includes(error.code)) left_out.push({ title, reason: error.message })
      else throw error
    }
  }
  const [one] = answers
  if (one === undefined) throw new AppError('unsupported_by_connector', 'The billing engine supplies nothing of this briefing.')
  const [through] = answers.flatMap(({ meta }) => meta.data_through ?? []).sort()
  const isKnown = through !== undefined && answers.every(({ meta }) => meta.data_through !== null)
  const lastDay = isKnown ? dayIn(one.meta.time_zone ?? UTC, new Date(through)) : undefined
  if (isRunning !== true && lastDay !== undefined && lastDay <= days.end)
    warnings.unshift(`The data does not reach the end of ${days.end}.`)
  const briefing: Briefing = {
    ...{ name, title: titleOf(days), days, blocks: found.map(({ block }) => block), left_out },
    data_through: isKnown ? through : null,
    base_currency: one.meta.base_currency,
    ...(one.meta.time_zone !== undefined && { time_zone: one.meta.time_zone }),
    definitions: one.meta.definitions,
    warnings: [...new Set([...warnings, ...answers.flatMap(({ meta }) => meta.warnings.map(({ message }) => message))])],
  }
  const again = { ...asking, seen: (answer: Answer) => answer, warn: () => {} }
  const [first] = found
  const isStill = async () => first === undefined || isDeepStrictEqual(await first.part.ask(again), first.block)
  return { briefing, isStill }
}

/**
 * A table of chosen columns of an answer, with the titles of the dashboard. A customer without a name has its id. Columns in `unlessZero` are left out if
 * they hold only zeros. All amounts are in the base currency, so their titles do not say so.
 */
export function tableBlock(
  answer: Answer,
  {
    title,
    page,
    columns,
    most = Number.POSITIVE_INFINITY,
    hasBars = false,
    unlessZero = [],
  }: {
    readonly title: string
    readonly page: string
    readonly columns: readonly string[]
    readonly most?: number
    readonly hasBars?: boolean
    readonly unlessZero?: readonly string[]
  },
): Block {
  const labels = new Map(answer.meta.fields.map((field) => [field.name, field.label]))
  const units = unitsOfColumns(answer)
  const records = recordsOf(answer)
  const isZero = (name: string) => records.every((record) => record[name] === 0)
  const shown = columns.filter((name) => labels.has(name) && !(unlessZero.includes(name) && isZero(name)))
  return {
    kind: 'table',
    title,
    page,
    columns: shown.map((name) => {
      const isNumber = records.length > 0 && records.every((record) => typeof record[name] === 'number')
      const unit = units.get(name) ?? (isNumber ? 'count' : undefined)
      return { title: (labels.get(name) ?? name).replace(/ base$/, ''), ...(unit !== undefined && { unit }) }
    }),
    rows: records
      .slice(0, most)
      .map((record) => shown.map((name) => cellOf(record[name] ?? (name === 'customer_name' ? record['customer_id'] : null)))),
    more: Math.max(0, totalOf(answer) - Math.min(records.length, most)),
    hasBars,
  }
}

function cellOf(value: unknown): Shown {
  if (typeof value === 'number' || value === null || value === undefined) return value ?? null
  return String(value)
}

/** The number of records, also of those on other pages. */
function totalOf(answer: Answer): number {
  const { data, kind } = answer
  if (kind === 'page' && typeof data === 'object' && data !== null && 'total' in data) return Number(data.total)
  return recordsOf(answer).length
}
