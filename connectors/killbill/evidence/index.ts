import type { Row } from '../../../src/connector-kit/connector.ts'
import {
  chargesIn,
  counted,
  type Evidence,
  type EvidenceSubject,
  type FindEvidence,
  isAround,
  isAt,
  isBy,
  isOfCustomer,
  isOfInvoice,
  namedIn,
  rowsBy,
  secondOf,
} from '../../../src/connector-kit/evidence.ts'
import { createQueryRunner } from '../../../src/connector-kit/query-runner.ts'
import { planOfPhase } from '../catalog/catalog-version.ts'
import type { TenantCatalog } from '../catalog/tenant-catalog.ts'
import { openedOf } from '../session.ts'
import { tenantKeys } from '../tenants.ts'
import { failureNote, readFailures } from './attempts.ts'
import { isSamePrice, type PriceInForce, priceInForce, priceNote } from './prices.ts'
import { isCancel, readReasons, reasonOf } from './reasons.ts'
import {
  accountNote,
  adjustmentNote,
  amountOf,
  blockNote,
  eventNote,
  invoiceNote,
  itemNote,
  paymentNote,
  rateNote,
  readAccounts,
  readAdjustments,
  readBlocks,
  readEvents,
  readInvoices,
  readItems,
  readOverridePrices,
  readPayments,
  readRates,
  readSubscriptions,
  readWriteOffs,
  writeOffNote,
} from './records.ts'

/**
 * The rows of Kill Bill that made rows behind numbers. For a subscription, they are the events and blocks of the instant in its bundle, the
 * newest events that set plan, phase and quantity, and the price of the phase. For a customer, they are the account and the events and
 * blocks of the instant. The reason of a cancellation has the row that states it. Invoices come with their payments, and
 * with the failed attempt of the instant, items with the payments of their invoice. The usage part of MRR has its USAGE items and their adjustments. Exchange rates come if the engine has them.
 */
export const findEvidence: FindEvidence = async (snapshot, session, subjects) => {
  const { schema, tenants, catalogs, cancel_reason_field } = openedOf(session)
  const place = {
    run: createQueryRunner(snapshot),
    tenants: tenantKeys(tenants),
    has_quantity: schema.has_quantity,
    has_payment_status: schema.has_payment_status,
  }
  const owned = await readSubscriptions(
    place,
    namedIn(subjects, 'customer_id', (one) => isOfCustomer(one) && one.at !== null),
  )
  const events = await readEvents(place, [
    ...namedIn(subjects, 'subscription_id'),
    ...owned.map((subscription) => String(subscription['id'])),
  ])
  const blocks = await readBlocks(place, events)
  const hasReasons = subjects.some(({ cancel_reason }) => cancel_reason !== null)
  const reasons = await readReasons(place, cancel_reason_field, hasReasons ? events.filter(isCancel) : [])
  const items = await readItems(
    place,
    namedIn(subjects, 'document_id', (one) => !isOfInvoice(one)),
  )
  const usage = await readItems(place, chargesIn(subjects))
  const adjustments = await readAdjustments(place, usage)
  const documents = namedIn(subjects, 'document_id', isOfInvoice)
  const invoices = await readInvoices(place, documents)
  const paid = [...new Set([...documents, ...items.map((item) => String(item['invoice_id']))])]
  const payments = await readPayments(place, paid)
  const writeOffs = await readWriteOffs(place, paid)
  const isTried = schema.attempts_unknown === undefined
  const failures = isTried ? await readFailures(place, namedIn(subjects, 'document_id', isOfAttempt)) : []
  const accounts = await readAccounts(place, namedIn(subjects, 'customer_id', isOfCustomer))
  const rates = schema.has_analytics_rates ? await readRates(place, ratesIn(subjects)) : []
  const of = {
    bundle: rowsBy(events, 'bundle_id'),
    subscription: rowsBy(events, 'subscription_id'),
    blocks: rowsBy(blocks, 'subscription_id'),
    invoices: rowsBy(invoices, 'id'),
    items: rowsBy(items, 'record_id'),
    usage: rowsBy(usage, 'record_id'),
    adjustments: rowsBy(adjustments, 'linked_item_id'),
    payments: rowsBy(payments, 'invoice_id'),
    writeOffs: rowsBy(writeOffs, 'object_id'),
    failures: rowsBy(failures, 'invoice_id'),
    accounts: rowsBy(accounts, 'id'),
    subscriptions: rowsBy(owned, 'account_id'),
  }
  const bundleOf = new Map(events.map((event) => [event['subscription_id'], String(event['bundle_id'])]))
  const prices = subjects.map((subject) => pricesOf(subject, of.subscription(subject.subscription_id), catalogs))
  const overrides = await readOverridePrices(place, [...new Set(prices.flat().flatMap(({ override }) => override ?? []))])
  return subjects.map((subject, index): readonly Evidence[] => {
    const { subscription_id, document_id, customer_id, at } = subject
    const own = isOfCustomer(subject) ? of.subscriptions(customer_id).map(({ id }) => String(id)) : [subscription_id]
    const found = isOfInvoice(subject) ? of.invoices(document_id) : []
    const charged = isOfInvoice(subject) ? [] : of.items(document_id)
    const settled = [...found.map(({ id }) => String(id)), ...charged.map((item) => String(item['invoice_id']))]
    const known = isOfCustomer(subject)
      ? own.flatMap((id) => of.subscription(id))
      : of.bundle(bundleOf.get(subscription_id) ?? null)
    return [
      ...(isOfCustomer(subject) ? of.accounts(customer_id).map(accountNote) : []),
      ...(isOfCustomer(subject)
        ? known.filter((event) => isAt(event, EFFECTIVE, at)).map((event) => eventNote(event, `, of ${planAt(event, known)}`))
        : ofSubscription(subject, known)),
      ...reasonOf(subject, known, reasons),
      ...(prices[index] ?? []).flatMap((price) => priceNote(price, overrides)),
      ...own.flatMap((id) => of.blocks(id).filter((block) => isAt(block, EFFECTIVE, at))).map(blockNote),
      ...found.map(invoiceNote),
      ...(isOfAttempt(subject)
        ? of
            .failures(document_id)
            .filter((failure) => isAt(failure, EFFECTIVE, at))
            .map(failureNote)
        : []),
      ...charged.map(itemNote),
      ...subject.usage.flatMap((charge) =>
        of.usage(charge.charge_id).flatMap((item) => [
          counted(itemNote(item), charge),
          ...of
            .adjustments(String(item['id']))
            .filter((adjustment) => isBy(adjustment, 'created_date', charge.paid_at))
            .map(adjustmentNote),
        ]),
      ),
      ...settled.flatMap((id) => [...of.payments(id).map(paymentNote), ...of.writeOffs(id).map(writeOffNote)]),
      ...rateOf(subject, rates).map(rateNote),
    ]
  })
}

const EFFECTIVE = 'effective_date'

/** True for an invoice at an instant, such as that of an attempt to collect it. */
function isOfAttempt(subject: EvidenceSubject): boolean {
  return isOfInvoice(subject) && subject.at !== null
}

/** Columns that an event sets. The newest event that sets one explains the state. */
const SET = ['plan_name', 'phase_name', 'quantity'] as const

/** `events` are those of the subscription's bundle. If the subscription has no event by the instant, the other events explain nothing. */
function ofSubscription({ subscription_id, at, swap_minutes }: EvidenceSubject, events: readonly Row[]): readonly Evidence[] {
  const own = events.filter((event) => event['subscription_id'] === subscription_id && isBy(event, EFFECTIVE, at))
  const isMoved = (event: Row) => isAt(event, EFFECTIVE, at) || (isEnd(event) && isAround(event, EFFECTIVE, at, swap_minutes))
  const moved = own.length === 0 ? [] : events.filter(isMoved)
  const newest = SET.map((column) => own.findLast((event) => isSet(event, column)))
  const chosen = new Set([...moved, ...newest])
  return events
    .filter((event) => chosen.has(event))
    .map((event) =>
      event['subscription_id'] === subscription_id
        ? eventNote(event)
        : eventNote(event, `, of another subscription of the bundle (${planAt(event, events)})`),
    )
}

/** The plan of an event's subscription at the event, in words. `events` are in the order of their effect. */
function planAt(event: Row, events: readonly Row[]): string {
  const by = events.slice(0, events.indexOf(event) + 1).filter((one) => one['subscription_id'] === event['subscription_id'])
  const entry = by.findLast((one) => isSet(one, 'plan_name') || isSet(one, 'phase_name'))
  if (entry === undefined) return 'no known plan'
  return isSet(entry, 'plan_name') ? String(entry['plan_name']) : planOfPhase(String(entry['phase_name']))
}

/** Types of the events with which a subscription enters a plan, as in the relation kb_event. A TRANSFER names no plan, only the phase. */
const ENTRIES: readonly unknown[] = ['CREATE', 'TRANSFER', 'CHANGE', 'RE_CREATE', 'MIGRATE_ENTITLEMENT', 'MIGRATE_BILLING']

function isEnd(event: Row): boolean {
  return isCancel(event) || event['event_type'] === 'EXPIRED'
}

function isSet(event: Row, column: string): boolean {
  return event[column] !== null && event[column] !== undefined
}

/** The price at the instant of a subscription's row, and the price just before a change if it differs. A usage charge has its item instead. */
function pricesOf(subject: EvidenceSubject, events: readonly Row[], catalogs: readonly TenantCatalog[]): readonly PriceInForce[] {
  const { at, currency, document_id } = subject
  if (at === null || currency === null || document_id !== null) return []
  const priceAt = (instant: string) => {
    const by = events.filter((event) => isBy(event, EFFECTIVE, instant))
    const [entry, phase] = [
      by.findLast(({ user_type }) => ENTRIES.includes(user_type)),
      by.findLast((event) => isSet(event, 'phase_name')),
    ]
    if (entry === undefined || phase === undefined) return undefined
    return priceInForce(catalogs, {
      tenantKey: Number(phase['tenant_record_id']),
      phase_name: String(phase['phase_name']),
      currency,
      entered_at: sqlSecond(secondOf(entry, EFFECTIVE)),
      at: sqlSecond(instant),
    })
  }
  const instant = at.slice(0, 19)
  const now = priceAt(instant)
  const earlier = priceAt(new Date(Date.parse(`${instant}Z`) - 1000).toISOString().slice(0, 19))
  return [...(isSamePrice(earlier, now) ? [] : [earlier]), now].filter((price) => price !== undefined)
}

function sqlSecond(instant: string): string {
  return instant.replace('T', ' ')
}

/** The rates that rows state, each once. */
function ratesIn(subjects: readonly EvidenceSubject[]) {
  const stated = subjects.flatMap(({ currency, rate, rate_day }) =>
    currency === null || rate === null || rate_day === null ? [] : [{ currency, day: rate_day }],
  )
  return [...new Map(stated.map((one) => [`${one.currency} ${one.day}`, one])).values()]
}

/** The engine's row with the rate of a subject. A rate from elsewhere has none. */
function rateOf({ currency, rate, rate_day }: EvidenceSubject, rates: readonly Row[]): readonly Row[] {
  if (rate === null || rate_day === null) return []
  const own = rates.filter((row) => {
    return (
      row['currency'] === currency &&
      amountOf(row['reference_rate']) === Number(rate) &&
      isBy(row, 'start_date', `${rate_day}T23:59:59`)
    )
  })
  return own.slice(-1)
}
