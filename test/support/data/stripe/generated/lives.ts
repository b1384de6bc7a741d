import { DAY, type Dice, dice } from '../../histories/seeded-dice.ts'
import { type GeneratedPrice, PRICE_SERIES } from './prices.ts'

/** An instant, as Unix seconds. */
type Instant = number

/** A change of one item. */
export interface Change {
  readonly at: Instant
  readonly kind: 'add' | 'remove' | 'change'
  readonly item: string
  /** The price and the quantity from then on. A removal has those before. */
  readonly price: GeneratedPrice
  readonly quantity: number
  /** The price and the quantity before, unless the item is added. */
  readonly before?: { readonly price: GeneratedPrice; readonly quantity: number }
  readonly isProrated: boolean
  /** Whether an invoice bills it at once. Otherwise the next one does. */
  readonly isBilledAtOnce: boolean
}

/** A subscription as it happened, whatever a mirror knows of it. */
export interface Life {
  readonly id: string
  readonly customer: string
  readonly account: string
  readonly from: Instant
  readonly trialEnd?: Instant
  /** Begins of the billing periods. The last one is after the end of the history or of the subscription. */
  readonly cycles: readonly Instant[]
  readonly items: readonly Pick<Change, 'item' | 'price' | 'quantity'>[]
  readonly changes: readonly Change[]
  readonly end?: { readonly at: Instant; readonly requested: Instant; readonly isCredited: boolean; readonly isExpired: boolean }
  /** The first billing period whose invoice is never paid. */
  readonly unpaidFrom?: number
  /** Whether lines of the newer shape name no item if they state a change. */
  readonly isNameless: boolean
}

/** An account, and when its mirror began. */
export interface MirroredAccount {
  readonly id: string
  readonly began: Instant
}

export interface StripeHistory {
  readonly accounts: readonly MirroredAccount[]
  readonly lives: readonly Life[]
  readonly start: Instant
  readonly end: Instant
}

const START = Date.UTC(2024, 8, 1) / 1000
const DAYS = 480
const HOUR = 3_600
/** Instants in one period are this far from each other, and from its bounds. */
const APART = 2 * HOUR

/** Two accounts: the mirror of one began long after its first subscriptions. */
export function generatedStripe(seed: number, customers: number): StripeHistory {
  const draw = dice(seed)
  const end = START + DAYS * DAY
  const accounts = [
    { id: 'acct_late', began: START + 240 * DAY },
    { id: 'acct_early', began: START },
  ]
  const lives = accounts.flatMap(({ id }, place) =>
    Array.from({ length: customers }, (_, number) => ({ account: id, customer: `cus_${place}_${number}` })).flatMap((owner) =>
      Array.from({ length: 1 + draw.below(3) }, (_, number) =>
        drawLife(draw, { ...owner, id: `sub_${owner.customer.slice(4)}_${number}` }, end),
      ),
    ),
  )
  return { accounts, lives, start: START, end }
}

function drawLife(draw: Dice, owner: Pick<Life, 'id' | 'customer' | 'account'>, last: Instant): Life {
  const prices = draw.pick(PRICE_SERIES)
  const from = START + draw.below(400) * DAY + draw.below(DAY)
  const trialEnd = draw.chance(30) ? from + draw.pick([7, 14, 30]) * DAY : undefined
  const anchor = trialEnd ?? from
  const all = cyclesFrom(anchor, prices[0]?.months ?? 1, last)
  const end = drawEnd(draw, { trialEnd, all, last })
  const cycles = end === undefined ? all : all.slice(0, all.findIndex((cycle) => cycle >= end.at) + 1)
  const unpaidFrom = end === undefined && cycles.length > 3 && draw.chance(20) ? 1 + draw.below(cycles.length - 2) : undefined
  const isNameless = draw.chance(50)
  const items = [{ item: `si_${owner.id}_0`, price: draw.pick(prices), quantity: 1 + draw.below(12) }]
  const other = draw.pick(prices)
  if (draw.chance(30) && other !== items[0]?.price)
    items.push({ item: `si_${owner.id}_1`, price: other, quantity: draw.below(5) })
  const until = Math.min(unpaidFrom === undefined ? last : (cycles[unpaidFrom] ?? last), end?.at ?? last)
  const changes = end?.isExpired ? [] : drawChanges(draw, { id: owner.id, prices, items, cycles, until, isNameless })
  return {
    ...{ ...owner, from, cycles, items, changes, isNameless },
    ...(trialEnd !== undefined && { trialEnd }),
    ...(end !== undefined && { end }),
    ...(unpaidFrom !== undefined && { unpaidFrom }),
  }
}

/** Begins of billing periods on the day of the first one, or on the last day of a shorter month. */
function cyclesFrom(anchor: Instant, months: number, last: Instant): readonly Instant[] {
  const first = new Date(anchor * 1000)
  const cycles = [anchor]
  while ((cycles.at(-1) ?? last) <= last) {
    const month = first.getUTCMonth() + months * cycles.length
    const days = new Date(Date.UTC(first.getUTCFullYear(), month + 1, 0)).getUTCDate()
    const day = Date.UTC(first.getUTCFullYear(), month, Math.min(first.getUTCDate(), days)) / 1000
    cycles.push(day + (anchor % DAY))
  }
  return cycles
}

/** An end: of a trial, with a billing period, or within one. */
function drawEnd(
  draw: Dice,
  { trialEnd, all, last }: { readonly trialEnd: Instant | undefined; readonly all: readonly Instant[]; readonly last: Instant },
): Life['end'] {
  if (trialEnd !== undefined && draw.chance(30))
    return { at: trialEnd + draw.below(30), requested: trialEnd - DAY, isCredited: false, isExpired: true }
  if (!draw.chance(55)) return undefined
  const period = draw.below(all.length - 1)
  const [begin, next] = [all[period] ?? last, all[period + 1] ?? last]
  const isAtOnce = draw.chance(60)
  const at = isAtOnce ? begin + APART + draw.below(next - begin - 2 * APART) : next
  if (at >= last - DAY) return undefined
  const requested = isAtOnce ? at : begin + APART + draw.below(next - begin - 2 * APART)
  return { at, requested, isCredited: isAtOnce && draw.chance(50), isExpired: false }
}

interface Bounds {
  readonly id: string
  readonly prices: readonly GeneratedPrice[]
  readonly items: Life['items']
  readonly cycles: readonly Instant[]
  readonly until: Instant
  readonly isNameless: boolean
}

/** Up to two changes in each billing period. */
function drawChanges(draw: Dice, { id, prices, items, cycles, until, isNameless }: Bounds): readonly Change[] {
  const present = new Map(items.map(({ item, price, quantity }) => [item, { price, quantity }]))
  // A price belongs to one item, so that a line without an item has one meaning.
  const ownerOf = new Map(items.map(({ item, price }) => [price.id, item]))
  const changes: Change[] = []
  for (const [place, begin] of cycles.slice(0, -1).entries()) {
    const next = cycles[place + 1] ?? until
    const length = Math.min(next, until) - begin
    // Items that no line states yet.
    const unstated = new Set<string>()
    for (let count = draw.pick([0, 0, 0, 0, 1, 1, 2]), part = 0; part < count; part += 1) {
      const room = Math.floor(length / count) - 2 * APART
      if (room <= 0) break
      const at = begin + Math.floor((length * part) / count) + APART + draw.below(room)
      const isProrated = draw.chance(65)
      const free = prices.filter((price) => !ownerOf.has(price.id))
      const kind = draw.pick(['add', 'remove', 'price', 'quantity', 'quantity'])
      const shared = { at, isProrated, isBilledAtOnce: isProrated && draw.chance(40) }
      if (kind === 'add') {
        if (free.length === 0) continue
        const added = { item: `si_${id}_${place}_${part}x`, price: draw.pick(free), quantity: 1 + draw.below(6) }
        present.set(added.item, added)
        ownerOf.set(added.price.id, added.item)
        if (!isProrated) unstated.add(added.item)
        changes.push({ ...shared, ...added, kind: 'add' })
        continue
      }
      const [item, before] = draw.pick([...present])
      if (isProrated && unstated.has(item)) continue
      if (kind === 'remove') {
        if (present.size === 1) continue
        present.delete(item)
        changes.push({ ...shared, ...before, item, before, kind: 'remove' })
        continue
      }
      const price = kind === 'price' ? draw.pick(prices.filter((one) => (ownerOf.get(one.id) ?? item) === item)) : before.price
      if (price !== before.price && isNameless && !isProrated) continue
      const quantity = kind === 'quantity' ? draw.below(14) : before.quantity
      if (price === before.price && quantity === before.quantity) continue
      present.set(item, { price, quantity })
      ownerOf.set(price.id, item)
      changes.push({ ...shared, item, price, quantity, before, kind: 'change' })
    }
  }
  return changes
}

/** An item with what holds of it. */
export type Held = Pick<Change, 'item' | 'price' | 'quantity'>

/** The items at the end of an instant, by id. */
export function itemsAt({ items, changes }: Life, at: Instant): ReadonlyMap<string, Held> {
  const held = new Map<string, Held>(items.map((one) => [one.item, one]))
  for (const { at: then, kind, item, price, quantity } of changes) {
    if (then > at) break
    if (kind === 'remove') held.delete(item)
    else held.set(item, { item, price, quantity })
  }
  return held
}

/** The billing periods that were billed by an instant: their place, begin and end. */
export function billedPeriods(
  { cycles, end }: Life,
  by: Instant,
): readonly { readonly begin: Instant; readonly next: Instant }[] {
  const over = end === undefined ? Number.POSITIVE_INFINITY : end.isExpired ? 0 : end.at
  return cycles.slice(0, -1).flatMap((begin, place) => {
    const next = cycles[place + 1]
    return begin <= by && begin < over && next !== undefined ? [{ begin, next }] : []
  })
}

/** The instant of the invoice that bills a change: at once, with the next period, or with the end. Undefined: none does. */
export function billedAt(life: Life, { at, isProrated, isBilledAtOnce }: Change): Instant | undefined {
  if (!isProrated) return undefined
  if (isBilledAtOnce) return at
  const { end } = life
  const next = life.cycles.find((cycle) => cycle > at)
  if (next !== undefined && (end === undefined || next < end.at)) return next
  return end?.isCredited ? end.at : undefined
}

/** Whether the mirror has no row of it at an instant, because it had ended before the mirror began. */
export function isRowless({ accounts }: StripeHistory, { account, end }: Life): boolean {
  const began = accounts.find(({ id }) => id === account)?.began ?? 0
  return end !== undefined && end.at <= began
}

/** The instant of the newest event of its row by an instant. Rows that are older come with the begin of the mirror. */
export function syncedBy({ accounts }: StripeHistory, life: Life, by: Instant): Instant {
  const { from, changes, end, account } = life
  const events = [
    from,
    ...changes.map(({ at }) => at),
    ...billedPeriods(life, by).map(({ begin }) => begin),
    ...(end === undefined ? [] : [end.requested, end.at]),
    accounts.find(({ id }) => id === account)?.began ?? 0,
  ]
  return Math.max(...events.filter((at) => at <= by))
}
