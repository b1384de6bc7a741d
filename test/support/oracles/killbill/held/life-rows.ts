import { planOfPhase, typeOfPhase } from '../../../../../connectors/killbill/catalog/catalog-version.ts'
import type { Row } from '../../../../../src/connector-kit/connector.ts'
import type { FoldContext } from '../fold/context.ts'
import { begins, eventKind } from '../fold/events.ts'
import { groupBy } from '../fold/group.ts'
import type { Instant } from '../fold/instant.ts'
import type { Life } from '../fold/pieces.ts'
import type { AccountRows, EventRow } from '../fold/rows.ts'

/** Rows of `subscription_life`: subscriptions that exist by now, and those that begin later (D17, D18, KB 2.5). */
export function lifeRows(rows: AccountRows, lives: readonly Life[], context: FoldContext): Row[] {
  const eventsOf = groupBy(
    rows.events.filter((event) => event.is_active),
    (event) => event.subscription_id,
  )
  const lived = lives.map((life) => livedRow(life, eventsOf.get(life.subscription_id) ?? [], context))
  const planned = rows.subscriptions.flatMap(({ id }) => plannedRow(rows, id, eventsOf.get(id) ?? [], context))
  return [...lived, ...planned]
}

function livedRow(life: Life, events: readonly EventRow[], context: FoldContext): Row {
  const { end } = life
  const state = life.states.findLast(({ at }) => end === null || at < end.at)
  const price = context.prices
    .prices(life.tenant, state?.phase ?? '', life.currency, state?.entered ?? life.started_at)
    .find(({ from, to }) => from <= lastFact(life, context.now) && lastFact(life, context.now) < to)
  return {
    customer_key: life.customer_key,
    subscription_id: life.subscription_id,
    started_at: life.started_at,
    ended_at: end?.at ?? null,
    end_reason: end?.reason ?? null,
    plan: state === undefined ? null : planOfPhase(state.phase),
    plan_key: price?.plan_key ?? null,
    phase_type: state === undefined ? null : typeOfPhase(state.phase),
    price_list: state?.price_list ?? null,
    quantity: state?.quantity ?? 1,
    next_change_at: nextChange(events, context.now),
  }
}

/** The last instant of the life with a row, a block or a payment. */
function lastFact({ states, blocks, charges, end, started_at }: Life, now: Instant): Instant {
  const instants = [
    ...states.map(({ at }) => at),
    ...blocks.flatMap(({ from, to }) => (to === null ? [from] : [from, to])),
    ...charges.map(({ paid_at }) => paid_at),
  ]
  return instants.reduce((last, at) => (at > last && at <= now && (end === null || at < end.at) ? at : last), started_at)
}

/** First scheduled change of plan or phase, or end. */
function nextChange(events: readonly EventRow[], now: Instant): Instant | null {
  const ahead = events.filter(
    ({ effective_date, event_type, user_type }) =>
      effective_date > now &&
      (event_type === 'PHASE' || event_type === 'EXPIRED' || user_type === 'CHANGE' || user_type === 'CANCEL'),
  )
  return ahead.reduce<Instant | null>((first, { effective_date: at }) => (first === null || at < first ? at : first), null)
}

function plannedRow(rows: AccountRows, id: string, events: readonly EventRow[], context: FoldContext): Row[] {
  const starts = events.filter(isStart)
  const first = starts.reduce<EventRow | undefined>((known, event) => {
    if (event.effective_date <= context.now) return known
    return known === undefined || isEarlier(event, known) ? event : known
  }, undefined)
  if (first === undefined) return []
  const at = first.effective_date
  const isTaken =
    starts.some((event) => event.effective_date < at) || events.some((event) => event.effective_date <= at && isEnd(event))
  if (isTaken) return []
  const { account } = rows
  const price = context.prices
    .prices(account.tenant_record_id, first.phase_name ?? '', account.currency, at)
    .find(({ from, to }) => from <= at && at < to)
  return [
    {
      customer_key: account.record_id,
      subscription_id: id,
      started_at: at,
      ended_at: null,
      end_reason: null,
      plan: first.phase_name === null ? null : planOfPhase(first.phase_name),
      plan_key: price?.plan_key ?? null,
      phase_type: first.phase_name === null ? null : typeOfPhase(first.phase_name),
      price_list: first.price_list_name,
      quantity: plannedQuantity(events, at),
      next_change_at: nextChange(events, context.now),
    },
  ]
}

function plannedQuantity(events: readonly EventRow[], at: Instant): number {
  const set = events.filter((event) => event.event_type === 'QUANTITY_UPDATE' && event.effective_date === at)
  const newest = set.reduce<EventRow | undefined>(
    (known, event) => (known === undefined || event.record_id > known.record_id ? event : known),
    undefined,
  )
  return Math.max(1, newest?.quantity ?? 1)
}

function isStart(event: EventRow): boolean {
  const kind = eventKind(event)
  return kind !== null && begins({ kind })
}

function isEnd({ user_type, event_type }: EventRow): boolean {
  return user_type === 'CANCEL' || event_type === 'EXPIRED'
}

function isEarlier(a: EventRow, b: EventRow): boolean {
  return a.effective_date < b.effective_date || (a.effective_date === b.effective_date && a.record_id < b.record_id)
}
