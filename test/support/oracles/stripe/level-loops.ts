import Big from 'big.js'
import {
  billedAt,
  billedPeriods,
  type Held,
  isRowless,
  itemsAt,
  type Life,
  type StripeHistory,
  syncedBy,
} from '../../data/stripe/generated/lives.ts'
import { amountOf, billedOf, type GeneratedPrice } from '../../data/stripe/generated/prices.ts'

/** The state of a subscription at one instant, by the rules S4 to S19. */
export interface StripeLevel {
  readonly currency: string
  readonly isTrial: boolean
  /** Hundredths for one month. */
  readonly cents: number
}

/** A statement of a line about an item, from an instant on. `to` is the end of the period that it bills. */
interface Statement {
  readonly at: number
  readonly to: number
  /** None: the item is removed. */
  readonly held?: Held
}

/** An item over time, as the rules find it. */
interface FoundItem {
  readonly steps: readonly Statement[]
  readonly end: number
}

const FOREVER = Number.POSITIVE_INFINITY
const HUNDREDTHS: Readonly<Record<string, string>> = { jpy: '100', kwd: '0.1' }

/**
 * Reads what happened, and decides by plain loops what a mirror can know of it at the instant `by`. A change with a line holds from its instant, and one
 * without from the next full line. One that no line states yet holds from the newest event of the row. Returns a function from an instant to the levels
 * by subscription.
 */
export function stripeLevels(history: StripeHistory, by: number): (at: number) => ReadonlyMap<string, StripeLevel> {
  const found = history.lives.filter(({ from }) => from <= by).map((life) => readLife(history, life, by))
  return (at) => new Map(found.flatMap((levelAt) => levelAt(at)))
}

function readLife(history: StripeHistory, life: Life, by: number): (at: number) => readonly (readonly [string, StripeLevel])[] {
  const isGhost = isRowless(history, life)
  const items = foundItems(history, life, by, isGhost)
  const over = endOf(history, life, items, by, isGhost)
  const { end, id } = life
  // Without a row, only lines of nothing for a price above nothing tell a trial from a free plan.
  const trialEnd =
    isGhost && life.items.every(({ price, quantity }) => amountOf(price, quantity) === 0) ? undefined : life.trialEnd
  const activated = trialEnd !== undefined && end?.isExpired && end.at <= by ? FOREVER : (trialEnd ?? life.from)
  const currency = (life.items[0]?.price.currency ?? '').toUpperCase()
  const paused = pauseOf(life, by)
  return (at) => {
    if (at < life.from || at >= over) return []
    const isTrial = at < activated
    const cents = isTrial || at >= paused ? 0 : items.reduce((sum, item) => sum + centsAt(item, at), 0)
    return [[id, { currency, isTrial, cents }]]
  }
}

function centsAt({ steps, end }: FoundItem, at: number): number {
  const step = steps.filter((one) => one.at <= at).at(-1)
  return step?.held === undefined || at >= end ? 0 : monthlyCents(step.held.price, step.held.quantity)
}

/** S10: the amount of a period in hundredths, rounded, and then the share of a month, rounded down. */
function monthlyCents(price: GeneratedPrice, quantity: number): number {
  const amount = new Big(price.unit)
    .times(billedOf(price, quantity))
    .times(HUNDREDTHS[price.currency] ?? '1')
    .round(0, Big.roundHalfUp)
  return amount.div(price.months).round(0, Big.roundDown).toNumber()
}

/** Lines that the mirror has at `by`, as statements of each item in order. */
function statementsOf(life: Life, by: number): ReadonlyMap<string, readonly Statement[]> {
  const found: (Statement & { readonly item: string })[] = []
  if (life.trialEnd !== undefined)
    for (const held of life.items) found.push({ item: held.item, at: life.from, to: life.trialEnd, held })
  for (const { begin, next } of billedPeriods(life, by))
    for (const held of itemsAt(life, begin).values()) found.push({ item: held.item, at: begin, to: next, held })
  for (const change of life.changes) {
    const billed = billedAt(life, change)
    if (billed === undefined || billed > by) continue
    const to = life.cycles.find((cycle) => cycle > change.at) ?? change.at
    const { item, price, quantity } = change
    found.push({ item, at: change.at, to, ...(change.kind !== 'remove' && { held: { item, price, quantity } }) })
  }
  const byItem = new Map<string, Statement[]>()
  for (const one of found.sort((a, b) => a.at - b.at)) byItem.set(one.item, [...(byItem.get(one.item) ?? []), one])
  return byItem
}

function foundItems(history: StripeHistory, life: Life, by: number, isGhost: boolean): readonly FoundItem[] {
  const stated = statementsOf(life, by)
  const isOver = life.end !== undefined && life.end.at <= by
  const present = isGhost ? new Map<string, Held>() : itemsAt(life, isOver && life.end !== undefined ? life.end.at : by)
  const added = new Map(life.changes.filter(({ kind }) => kind === 'add').map((change) => [change.item, change]))
  const synced = syncedBy(history, life, by)
  return [...new Set([...stated.keys(), ...present.keys()])].map((item) => {
    const own = stated.get(item) ?? []
    const [today, addition] = [present.get(item), added.get(item)]
    const [first, last] = [own[0], own.at(-1)]
    if (first === undefined || last === undefined) {
      // S17: an item without a line holds from its creation.
      const begin = addition?.at ?? life.from
      return { steps: today === undefined ? [] : [{ at: begin, to: FOREVER, held: today }], end: FOREVER }
    }
    const isOfStart = addition === undefined
    const isStatedAtOnce = addition?.at === first.at
    const begin = isOfStart ? life.from : isStatedAtOnce || today === undefined ? first.at : Math.min(addition.at, first.at)
    const steps: Statement[] = [{ ...first, at: begin }, ...own.slice(1)]
    // S18: the row of today is the last statement.
    const differs = today !== undefined && (last.held?.price !== today.price || last.held.quantity !== today.quantity)
    if (differs && !isOver) steps.push({ at: Math.max(synced, last.at), to: FOREVER, held: today })
    const isGone = today === undefined && last.held !== undefined
    return { steps, end: isGone ? (isGhost || synced < last.at ? last.to : Math.min(synced, last.to)) : FOREVER }
  })
}

/** S6: a row says when it ended. Without one, it is the credit of everything, else the end of the last paid period, before the mirror began. */
function endOf(history: StripeHistory, life: Life, items: readonly FoundItem[], by: number, isGhost: boolean): number {
  const { end } = life
  if (end === undefined || end.at > by) return FOREVER
  if (!isGhost) return end.at
  const began = history.accounts.find(({ id }) => id === life.account)?.began ?? FOREVER
  if (end.isCredited) return end.at
  return Math.min(
    began,
    Math.max(...items.flatMap(({ steps }) => steps.filter(({ held }) => held !== undefined).map(({ to }) => to))),
  )
}

/** S9: an unpaid subscription pauses with the first draft after the newest paid invoice. */
function pauseOf(life: Life, by: number): number {
  if (life.unpaidFrom === undefined) return FOREVER
  return billedPeriods(life, by)[life.unpaidFrom + 1]?.begin ?? FOREVER
}
