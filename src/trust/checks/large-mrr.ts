import type { CheckFinding } from '../../connector-kit/connector.ts'
import { dayOf } from '../../core/periods.ts'
import type { Pipeline } from '../../execution/pipeline.ts'
import { compileWithoutRates } from '../../execution/run.ts'
import { integerCell, textCell, textOf } from '../../ports/cells.ts'
import type { Row } from '../../ports/rows.ts'
import { pointAt } from '../../query/timeframe.ts'

/** An MRR of this many times the median of its plan is implausible. */
const TIMES_MEDIAN = 1_000n
/** 10^9 units of any currency, in cents. */
const MAX_CENTS = 100_000_000_000n
const MAX_LISTED = 10

interface Amount {
  readonly plan: string
  readonly currency: string
  readonly cents: bigint
  readonly count: number
  /** A subscription with this amount. */
  readonly subscription_id: string
}

/**
 * Subscriptions with an implausible MRR: at least one thousand times the median of their plan in their currency, or over 10^9 units a
 * month. The cause is usually a mistyped price or quantity, and it distorts every sum. Empty if there is none.
 */
export async function largeMrrFindings({ read }: Pick<Pipeline, 'read'>): Promise<readonly CheckFinding[]> {
  const { value: amounts } = await read({}, async ({ deps, session }) => {
    const { before } = pointAt(dayOf(session.now), session.now)
    const run = { template: 'data/mrr_amounts', slots: {}, params: { before }, window: { from: before, to: before } }
    return (await session.snapshot.query(await compileWithoutRates(run, { deps, session }))).map(amountOf)
  })
  const found = implausible(amounts)
  if (found.length === 0) return []
  const logged = `${IMPLAUSIBLE}: ${found.length} amounts; \`plumbline check\` names the subscriptions`
  return [{ name: 'mrr_amounts', level: 'warning', message: message(found), logged }]
}

function amountOf(row: Row): Amount {
  return {
    plan: textOf(row, 'plan'),
    currency: textCell(row, 'currency') ?? 'no currency',
    cents: BigInt(textOf(row, 'mrr_cents')),
    count: integerCell(row, 'subscription_count'),
    subscription_id: textOf(row, 'subscription_id'),
  }
}

function implausible(amounts: readonly Amount[]): readonly Amount[] {
  const plans = byPlan(amounts)
  return [...plans.values()].flatMap((ofPlan) => {
    const sorted = ofPlan.toSorted((a, b) => (a.cents < b.cents ? -1 : a.cents > b.cents ? 1 : 0))
    const median = medianOf(sorted)
    return sorted.filter(({ cents }) => cents > MAX_CENTS || cents >= median * TIMES_MEDIAN)
  })
}

function byPlan(amounts: readonly Amount[]): ReadonlyMap<string, readonly Amount[]> {
  const plans = new Map<string, Amount[]>()
  for (const amount of amounts) {
    const key = JSON.stringify([amount.plan, amount.currency])
    const known = plans.get(key)
    if (known === undefined) plans.set(key, [amount])
    else known.push(amount)
  }
  return plans
}

/** The median. Of two middle values it takes the lower one, because one of two subscriptions may be wrong. */
function medianOf(sorted: readonly Amount[]): bigint {
  const middle = sorted.reduce((sum, { count }) => sum + count, 0) / 2
  let passed = 0
  for (const { cents, count } of sorted) {
    passed += count
    if (passed >= middle) return cents
  }
  return 0n
}

const IMPLAUSIBLE = 'implausible MRR, at least 1,000 times the median of the plan or over 10^9 a month'

function message(found: readonly Amount[]): string {
  const largest = found.toSorted((a, b) => (a.cents > b.cents ? -1 : a.cents < b.cents ? 1 : 0))
  const listed = largest.slice(0, MAX_LISTED).map((amount) => {
    const others = amount.count === 1 ? '' : `, and ${amount.count - 1} more with the same amount`
    return `${amount.subscription_id} (${amount.plan}, ${unitsOf(amount)}${others})`
  })
  const more = found.length > MAX_LISTED ? `, and ${found.length - MAX_LISTED} other amounts` : ''
  return `${IMPLAUSIBLE}: ${listed.join(', ')}${more}`
}

function unitsOf({ cents, currency }: Amount): string {
  return `${cents / 100n}.${String(cents % 100n).padStart(2, '0')} ${currency}`
}
