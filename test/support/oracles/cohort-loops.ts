import { realJson, recordedRows } from '../data/recorded/recorded-files.ts'

/** Group, or null, of a figure grouped by one dimension. */
export type Group = string | null
type Tenant = 'alpha' | 'beta'

interface Span {
  readonly valid_from: string
  readonly valid_to: string | null
  readonly plan: string
  readonly currency: string
  readonly is_live: boolean
  readonly mrr_cents: number
  readonly mrr_base_cents: number
  readonly end_reason: string | null
}

interface Movement {
  readonly occurred_at: string
  readonly subscription: string
  readonly customer: string
  readonly type: string
  readonly reason: string
  readonly amount_cents: number
  readonly amount_base_cents: number
}

/** The recorded data of one tenant, by external keys. */
export interface Recorded {
  readonly spans: ReadonlyMap<string, readonly Span[]>
  readonly movements: readonly Movement[]
  readonly ownerOf: ReadonlyMap<string, string>
  readonly countryOf: ReadonlyMap<string, Group>
}

export interface RatioSums {
  start: number
  net: number
  gross: number
  lost: number
}

/** Recorded spans and movements with the accounts they belong to. */
export function readRecorded(tenant: Tenant): Recorded {
  const accounts = recordedRows('accounts')
  const keyOf = new Map(accounts.map((row) => [row['record_id'], row['external_key'] ?? '']))
  const subscriptions = recordedRows('subscriptions')
  return {
    spans: new Map(Object.entries(realJson<Record<string, Span[]>>(`expected/${tenant}/spans.json.gz`))),
    movements: realJson<Movement[]>(`expected/${tenant}/movements.json.gz`),
    ownerOf: new Map(subscriptions.map((row) => [row['external_key'] ?? '', keyOf.get(row['account_record_id'] ?? '') ?? ''])),
    countryOf: new Map(accounts.map((row) => [row['external_key'] ?? '', row['country'] ?? null])),
  }
}

/** Start MRR, what is left of it and what churned, by group, over [from, to): definitions.md D43 to D45 and D61 in plain loops. */
export function ratioSums(
  recorded: Recorded,
  [from, to]: readonly [string, string],
  dimension: 'plan_id' | 'customer_country' | 'currency',
): Map<Group, RatioSums> {
  const unit = dimension === 'currency' ? 'mrr_cents' : 'mrr_base_cents'
  const held = new Map<string, Span>()
  for (const [subscription, spans] of recorded.spans) {
    for (const span of spans)
      if (span.valid_from < from && (span.valid_to === null || span.valid_to >= from)) held.set(subscription, span)
  }
  const startOf = new Map<string, number>()
  for (const [subscription, span] of held) bump(startOf, recorded.ownerOf.get(subscription) ?? '', span[unit])
  const groupOf = (subscription: string, customer: string): Group => {
    if (dimension === 'customer_country') return recorded.countryOf.get(customer) ?? null
    if (dimension === 'currency') return recorded.spans.get(subscription)?.[0]?.currency ?? null
    return held.get(subscription)?.plan.replace(/-\d+$/, '') ?? null
  }
  const parts = new Map<string, { group: Group; start: number; gain: number; loss: number; churn: number }>()
  const partOf = (subscription: string, customer: string) => {
    const group = groupOf(subscription, customer)
    const key = JSON.stringify([customer, group])
    const part = parts.get(key) ?? { group, start: 0, gain: 0, loss: 0, churn: 0 }
    parts.set(key, part)
    return part
  }
  for (const [subscription, span] of held) {
    const customer = recorded.ownerOf.get(subscription) ?? ''
    if ((startOf.get(customer) ?? 0) > 0) partOf(subscription, customer).start += span[unit]
  }
  for (const movement of recorded.movements) {
    const { occurred_at, subscription, customer, type, reason } = movement
    if (occurred_at < from || occurred_at >= to || reason === 'bundle_transfer') continue
    if ((startOf.get(customer) ?? 0) <= 0 || type === 'new' || type === 'reactivation') continue
    const amount = dimension === 'currency' ? movement.amount_cents : movement.amount_base_cents
    const part = partOf(subscription, customer)
    if (amount > 0) part.gain += amount
    else part.loss -= amount
    if (type === 'churn') part.churn -= amount
  }
  const sums = new Map<Group, RatioSums>()
  for (const { group, start, gain, loss, churn } of parts.values()) {
    const sum = sums.get(group) ?? { start: 0, net: 0, gross: 0, lost: 0 }
    sum.start += start
    sum.net += Math.max(0, start + gain - loss)
    sum.gross += Math.max(0, start - loss)
    sum.lost += churn
    sums.set(group, sum)
  }
  return sums
}

/** Reason of each active cancellation by account key and instant, the newest of an instant: D46 in plain loops over the rows. */
export function recordedReasons(): Map<string, string | null> {
  const keyOf = new Map(recordedRows('accounts').map((row) => [row['record_id'], row['external_key']]))
  const subscriptions = new Map(recordedRows('subscriptions').map((row) => [row['id'], row]))
  const written = new Map<string, string | null>()
  for (const row of recordedRows('audit_log')) {
    if (row['table_name'] === 'SUBSCRIPTION_EVENT_HISTORY' && row['change_type'] === 'INSERT')
      written.set(String(row['target_record_id']), row['reason_code'] ?? null)
  }
  const auditOf = new Map<string, string | null>()
  for (const row of recordedRows('subscription_event_history')) {
    const reason = written.get(String(row['record_id']))
    if (reason !== undefined && reason !== null) auditOf.set(String(row['target_record_id']), reason)
  }
  const fieldOf = new Map<string, string | null>()
  for (const row of recordedRows('custom_fields')) {
    if (row['object_type'] === 'SUBSCRIPTION' && row['field_name'] === 'cancel_reason' && row['is_active'] === 't')
      fieldOf.set(String(row['object_id']), row['field_value'] ?? null)
  }
  const cancels = recordedRows('subscription_events').filter((row) => row['user_type'] === 'CANCEL' && row['is_active'] === 't')
  const own = (row: (typeof cancels)[number]) =>
    fieldOf.get(String(row['subscription_id'])) ?? auditOf.get(String(row['record_id'])) ?? null
  const newest = new Map<string, { record: number; reason: string | null }>()
  for (const row of cancels) {
    const bundle = subscriptions.get(row['subscription_id'] ?? '')?.['bundle_id']
    const base = cancels.find((other) => {
      const owner = subscriptions.get(other['subscription_id'] ?? '')
      return owner?.['category'] === 'BASE' && owner['bundle_id'] === bundle && other['effective_date'] === row['effective_date']
    })
    const reason = own(row) ?? (base === undefined ? null : own(base))
    const key = `${keyOf.get(row['account_record_id'] ?? '')} ${String(row['effective_date']).slice(0, 19)}`
    const record = Number(row['record_id'])
    if (record > (newest.get(key)?.record ?? -1)) newest.set(key, { record, reason })
  }
  return new Map([...newest].map(([key, { reason }]) => [key, reason]))
}

function bump(sums: Map<string, number>, key: string, amount: number): void {
  sums.set(key, (sums.get(key) ?? 0) + amount)
}
