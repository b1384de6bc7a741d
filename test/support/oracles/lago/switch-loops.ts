import { groupBy } from '../../../../src/core/group-by.ts'
import { northExpected, northRows } from '../../data/lago/north-rows.ts'

/** A span of the independent program. */
interface Span {
  readonly customer: string
  readonly currency: string
  readonly plan: string
  readonly status: string
  readonly valid_from: string
  readonly valid_to: string | null
  readonly subscription_mrr_base_cents: number
  readonly usage_mrr_base_cents: number
}
/** A movement of the independent program, which looks at each currency alone. */
interface Movement {
  readonly customer: string
  readonly subscription: string
  readonly occurred_at: string
  readonly source: string
  readonly type: keyof Types
  readonly amount_cents: number
  readonly amount_base_cents: number
  readonly reason: string
  readonly currency: string
}
type Types = Record<'new' | 'expansion' | 'contraction' | 'churn' | 'reactivation', number>
/** A movement with its type by D85. Rows with the same `together` count by their sum. */
interface Counted extends Movement {
  readonly together: string
}
interface Range {
  readonly start: string
  readonly end: string
}

const NAMES = ['weekly', 'monthly', 'yearly', 'quarterly', 'semiannual']
const UNITS = ['week', 'month', 'year', 'month', 'month']

/**
 * Counts the figures that a switch of currency (D85) changes, in loops over the spans and movements of the independent program. Without
 * `joined`, each currency is looked at alone, as that program does.
 */
export function northFigures(joined: boolean) {
  const tables = storedRows()
  const owners = new Map(tables('subscriptions').map((row) => [row.get('id'), row.get('customer_id')]))
  // Two customers may have one external id, if one of them was deleted. So customers are told apart by their id.
  const ownerOf = (subscription: string) => {
    const owner = owners.get(subscription)
    if (!owner) throw new Error(`no customer of ${subscription}`)
    return owner
  }
  const spans = Object.fromEntries(
    Object.entries(northExpected<Readonly<Record<string, readonly Span[]>>>('spans')).map(([subscription, own]) => [
      subscription,
      own.map((span) => ({ ...span, customer: ownerOf(subscription) })),
    ]),
  )
  const movements = northExpected<readonly Movement[]>('movements').map((row) => ({
    ...row,
    customer: ownerOf(row.subscription),
  }))
  const switches = joined ? switchesOf(spans, movements) : new Map<string, 'expansion' | 'contraction'>()
  const counted = movements.map((row, index): Counted => {
    const type = switches.get(`${row.subscription} ${row.occurred_at}`)
    return type === undefined
      ? { ...row, together: `row ${index}` }
      : { ...row, type, together: `${row.customer} ${row.occurred_at}` }
  })
  const groups = groupsOf(tables, spans)
  const during = (range: Range) => {
    const [from, to] = [instant(range.start), instant(dayAfter(range.end))]
    return counted.filter((row) => row.occurred_at >= from && row.occurred_at < to)
  }
  const members = (range: Range) => {
    const rows = groupBy(during(range), (row) => row.customer)
    return [...startOf(spans, instant(range.start))].map(([customer, start]) => ({ start, rows: rows.get(customer) ?? [] }))
  }
  return {
    movements: counted,
    /** Rows that belong to a switch. */
    switched: counted.filter((row) => !row.together.startsWith('row')),
    breakdown: (range: Range) => typesOf(during(range)),
    breakdownBy: (dimension: string, range: Range) =>
      new Map(
        [...groupBy(during(range), (row) => groups.dimension(dimension, row))].map(([group, rows]) => [group, typesOf(rows)]),
      ),
    ofTier: (tier: string | undefined, range: Range) =>
      typesOf(during(range).filter((row) => groups.tiers.get(row.customer) === tier)),
    /** (new + expansion + reactivation) / (|churn| + |contraction|). */
    quickRatio: (range: Range) => {
      const types = typesOf(during(range))
      return (types.new + types.expansion + types.reactivation) / (Math.abs(types.churn) + Math.abs(types.contraction))
    },
    /** D44. */
    revenueChurn: (range: Range) => {
      const cohort = members(range)
      const start_mrr = cohort.reduce((sum, { start }) => sum + start, 0)
      const losers = cohort.filter(({ rows }) => rows.some((row) => row.type === 'churn'))
      const revenue_lost = Math.abs(losers.reduce((sum, { rows }) => sum + typesOf(rows).churn, 0))
      return {
        customers: losers.length,
        revenue_churn_rate: start_mrr === 0 ? null : revenue_lost / start_mrr,
        revenue_lost,
        start_mrr,
      }
    },
    /** D45. */
    retention: (range: Range) => {
      let [start_mrr, net, gross] = [0, 0, 0]
      for (const { start, rows } of members(range)) {
        const [gain, loss] = gainAndLoss(rows)
        start_mrr += start
        net += Math.max(0, start + gain - loss)
        gross += Math.max(0, start - loss)
      }
      return {
        nrr: start_mrr === 0 ? null : net / start_mrr,
        grr: start_mrr === 0 ? null : gross / start_mrr,
      }
    },
  }
}

/** The type of each end and activation that is part of a switch (D85), by subscription and instant. */
function switchesOf(spans: Readonly<Record<string, readonly Span[]>>, movements: readonly Movement[]) {
  const turns: {
    readonly key: string
    readonly together: string
    readonly currency: string
    readonly isEnd: boolean
  }[] = []
  for (const [subscription, own] of Object.entries(spans)) {
    const turn = (span: Span, at: string, isEnd: boolean) => {
      turns.push({
        key: `${subscription} ${at}`,
        together: `${span.customer} ${at}`,
        currency: span.currency,
        isEnd,
      })
    }
    for (const [index, span] of own.entries()) {
      if (span.status !== 'active') continue
      if (own[index - 1]?.status !== 'active') turn(span, span.valid_from, false)
      if (own[index + 1] === undefined && span.valid_to !== null) turn(span, span.valid_to, true)
    }
  }
  const amounts = groupBy(movements, (row) => `${row.subscription} ${row.occurred_at}`)
  const types = new Map<string, 'expansion' | 'contraction'>()
  for (const group of groupBy(turns, (turn) => turn.together).values()) {
    const began = group.filter(({ isEnd }) => !isEnd)
    if (!group.some((end) => end.isEnd && began.some(({ currency }) => currency !== end.currency))) continue
    const net = group.flatMap(({ key }) => amounts.get(key) ?? []).reduce((sum, row) => sum + row.amount_base_cents, 0)
    for (const { key } of group) types.set(key, net >= 0 ? 'expansion' : 'contraction')
  }
  return types
}

function typesOf(rows: readonly Movement[]): Types {
  const types = {
    new: 0,
    expansion: 0,
    contraction: 0,
    churn: 0,
    reactivation: 0,
  }
  for (const row of rows) types[row.type] += row.amount_base_cents
  return types
}

/** MRR of the customers that have some just before an instant (D43). */
function startOf(spans: Readonly<Record<string, readonly Span[]>>, at: string): ReadonlyMap<string, number> {
  const sums = new Map<string, number>()
  for (const span of Object.values(spans).flat()) {
    if (span.valid_from >= at || (span.valid_to !== null && span.valid_to < at)) continue
    const cents = span.subscription_mrr_base_cents + span.usage_mrr_base_cents
    sums.set(span.customer, (sums.get(span.customer) ?? 0) + cents)
  }
  return new Map([...sums].filter(([, cents]) => cents > 0))
}

function gainAndLoss(rows: readonly Counted[]): readonly [number, number] {
  const kept = rows.filter((row) => row.type !== 'new' && row.type !== 'reactivation')
  let [gain, loss] = [0, 0]
  for (const group of groupBy(kept, (row) => row.together).values()) {
    const amount = group.reduce((sum, row) => sum + row.amount_base_cents, 0)
    if (amount > 0) gain += amount
    else loss -= amount
  }
  return [gain, loss]
}

/** The rows of a stored table, as cells by column. */
function storedRows() {
  const tables = new Map(northRows().map((table) => [table.table, table]))
  return (table: string) => {
    const { columns = [], rows = [] } = tables.get(table) ?? {}
    return rows.map((cells) => new Map(cells.map((cell, index) => [columns[index]?.replaceAll('"', ''), cell])))
  }
}

/** The group of a movement (D61), and the tier of each customer, from the stored rows. */
function groupsOf(stored: ReturnType<typeof storedRows>, spans: Readonly<Record<string, readonly Span[]>>) {
  const countries = new Map(stored('customers').map((row) => [row.get('id'), row.get('country')]))
  const intervals = new Map(stored('plans').map((row) => [row.get('code'), Number(row.get('interval'))]))
  const tiers = new Map(
    stored('customer_metadata')
      .filter((row) => row.get('key') === 'tier')
      .map((row) => [row.get('customer_id'), row.get('value')]),
  )
  /** The span that begins at the instant. Where the subscription ends, it is the last one. */
  const planOf = ({ subscription, occurred_at }: Movement) => {
    const own = spans[subscription] ?? []
    const span = own.find(({ valid_from }) => valid_from === occurred_at) ?? own.find(({ valid_to }) => valid_to === occurred_at)
    if (span === undefined) throw new Error(`no span of ${subscription} at ${occurred_at}`)
    return span.plan
  }
  const dimension = (name: string, row: Movement): string => {
    const interval = () => intervals.get(planOf(row)) ?? -1
    if (name === 'customer_country') return countries.get(row.customer) ?? 'None'
    if (name === 'plan_id') return planOf(row)
    if (name === 'billing_period') return NAMES[interval()] ?? 'None'
    if (name === 'plan_interval') return UNITS[interval()] ?? 'None'
    throw new Error(`no groups by ${name}`)
  }
  return { dimension, tiers }
}

function instant(day: string): string {
  return `${day}T00:00:00Z`
}

function dayAfter(day: string): string {
  return new Date(Date.parse(instant(day)) + 86_400_000).toISOString().slice(0, 10)
}
