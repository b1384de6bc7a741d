import Big from 'big.js'
import { describe, expect, it } from 'vitest'
import { NOW, realTables } from '../support/data/recorded/recorded-tables.ts'
import { foldReal } from '../support/oracles/fold/fold-recorded.ts'
import { relationsOf } from '../support/oracles/fold/fold-tables.ts'
import type { Span } from '../support/oracles/killbill/fold/span.ts'
import { billingEvents, invoicedDays, localDay, restSubscriptions } from './stored-billing-events.ts'

// The engine billed TEST accounts like any other.
const spansOf = new Map<string, Span[]>()
for (const span of foldReal({ test_accounts: 'include' }).flatMap((customer) => customer.spans)) {
  spansOf.set(span.subscription_id, [...(spansOf.get(span.subscription_id) ?? []), span])
}
const keyOf = new Map(realTables('subscriptions').map((row) => [String(row['id']), String(row['external_key'])]))
const accounts = new Map(realTables('accounts').map((row) => [Number(row['record_id']), row]))
const [lines, prices] = ['price_line', 'price'].map((name) => relationsOf(realTables).find((relation) => relation.name === name))
const phaseOfLine = new Map((lines?.rows ?? []).map(([line, , phase]) => [line, String(phase)]))
const monthsOf = new Map(
  (prices?.rows ?? []).map((row) => [
    phaseOfLine.get(row[0] ?? null) ?? '',
    [BigInt(Number(row[6])), BigInt(Number(row[7]))] as const,
  ]),
)

/** Monthly cents of a period's amount in a phase; periods of one phase never differ in the recording. */
function monthly(phase: string, amount: Big): number {
  const [numerator, denominator] = monthsOf.get(phase) ?? [0n, 1n]
  return Number((BigInt(amount.times(100).round(0, Big.roundHalfUp).toFixed()) * numerator) / denominator)
}

function phaseOf({ plan, phase_type }: Span): string {
  return `${plan}-${phase_type}`
}

function sqlInstant(iso: string): string {
  return iso.slice(0, 19).replace('T', ' ')
}

function spanAt(subscription: string, at: string): Span | undefined {
  return spansOf.get(subscription)?.findLast((span) => span.valid_from <= at && (span.valid_to === null || at < span.valid_to))
}

describe('the fold beside what the engine invoiced', () => {
  it('every invoiced day has the rate of that day’s span, but for the classes of KB 14', () => {
    const differing = new Map<string, number>()
    const days = invoicedDays('2026-11-20')
    for (const { subscription_id, account_record_id, phase, day, rate } of days) {
      const account = accounts.get(account_record_id)
      if (account === undefined) throw new Error('an item without account')
      const span = spansOf
        .get(subscription_id)
        ?.findLast(
          ({ valid_from, valid_to }) =>
            localDay(account, valid_from) <= day && (valid_to === null || day < localDay(account, valid_to)),
        )
      const billed =
        span?.status === 'active' && phaseOf(span) === phase && span.subscription_mrr_cents === monthly(phase, new Big(rate))
      const key = keyOf.get(subscription_id) ?? ''
      if (!billed) differing.set(key, (differing.get(key) ?? 0) + 1)
    }
    expect(days.length).toBe(115_370)
    expect(Object.fromEntries([...differing].sort())).toEqual({
      // 14.1: at a catalog price date the engine falls back to an older quantity; MRR keeps the agreed one (D23).
      'alpha-sub-00001': 30,
      'alpha-sub-00063': 42,
      'alpha-sub-00114': 128,
      'alpha-sub-00157': 424,
      'alpha-sub-00160': 125,
      // 14.6: after a transfer the old side is billed to the end of its term; D19 ends it at once.
      'alpha-sub-00137': 1,
      'alpha-sub-00220': 26,
      'beta-sub-00033': 15,
      'beta-sub-00571': 15,
      // 14.7: parked accounts; no invoice has followed the last quantity change.
      'alpha-sub-00088': 247,
      'beta-sub-00116': 23,
    })
  })

  it('every stored billing event finds its plan, phase and unit price', () => {
    const differing: string[] = []
    const last = new Map<string, ReturnType<typeof billingEvents>[number]>()
    for (const event of billingEvents()) {
      if (['CREATE', 'TRANSFER', 'PHASE', 'CHANGE'].includes(event.kind)) last.set(`${event.subscription_id} ${event.at}`, event)
    }
    let checked = 0
    for (const { subscription_id, at, plan, phase, unit_price } of last.values()) {
      const span = spanAt(subscription_id, at)
      if (span === undefined || span.status === 'paused') continue
      checked++
      const expected = monthly(phaseOf(span), new Big(unit_price ?? 0).times(span.quantity))
      if (span.plan !== plan || phaseOf(span) !== phase || span.subscription_mrr_cents !== expected) {
        differing.push(
          `${keyOf.get(subscription_id)} ${at} ${phase} ${unit_price}: ${span.status} ${phaseOf(span)} ${span.subscription_mrr_cents}`,
        )
      }
    }
    expect(differing).toEqual([])
    expect(checked).toBeGreaterThan(700)
  })

  it('a block of the stored billing events is a pause, its end none', () => {
    const differing: string[] = []
    let checked = 0
    for (const { subscription_id, at, kind } of billingEvents()) {
      if (kind !== 'START_BILLING_DISABLED' && kind !== 'END_BILLING_DISABLED') continue
      const span = spanAt(subscription_id, at)
      if (span === undefined || span.is_trial) continue
      checked++
      if ((span.status === 'paused') !== (kind === 'START_BILLING_DISABLED'))
        differing.push(`${keyOf.get(subscription_id)} ${at} ${kind}: ${span.status}`)
    }
    expect(differing).toEqual([])
    expect(checked).toBeGreaterThan(100)
  })
})

describe('the fold beside the server’s own answers', () => {
  const subscriptions = [...restSubscriptions('alpha'), ...restSubscriptions('beta')]

  it('starts, ends, plans and phases', () => {
    const differing: string[] = []
    let checked = 0
    for (const { subscriptionId, externalKey, events } of subscriptions) {
      const spans = spansOf.get(subscriptionId) ?? []
      const lastAt = new Map<string, (typeof events)[number]>()
      const stops = events.filter((event) => event.eventType === 'STOP_BILLING').map((event) => sqlInstant(event.effectiveDate))
      const end = spans.at(-1)?.valid_to ?? null
      if (spans.length > 0 && end !== (stops.find((at) => at <= NOW) ?? null))
        differing.push(`${externalKey} ends ${end}, not ${stops.join(' ')}`)
      for (const event of events) {
        const at = sqlInstant(event.effectiveDate)
        if (at > NOW) continue
        if (event.eventType === 'START_BILLING' && spans.length > 0 && spans[0]?.valid_from !== at)
          differing.push(`${externalKey} starts ${at}`)
        if (['START_BILLING', 'PHASE', 'CHANGE'].includes(event.eventType)) lastAt.set(at, event)
      }
      for (const [at, event] of lastAt) {
        const span = spanAt(subscriptionId, at)
        if (span === undefined) continue
        checked++
        if (span.plan !== event.plan || phaseOf(span) !== event.phase)
          differing.push(`${externalKey} ${at} ${event.phase}: ${phaseOf(span)}`)
      }
    }
    // 14.6: transfers again; the engine ends the old side at the end of its term, or of its trial.
    expect(differing.map((line) => line.split(' ')[0]).sort()).toEqual([
      'alpha-sub-00009',
      'alpha-sub-00137',
      'alpha-sub-00220',
      'beta-sub-00033',
      'beta-sub-00571',
      'beta-sub-00796',
    ])
    expect(checked).toBeGreaterThan(700)
  })
})
