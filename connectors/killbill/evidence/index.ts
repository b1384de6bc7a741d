import type { Row } from '../../src/connector-kit/connector.ts'
import {
  type Evidence,
  type EvidenceSubject,
  type FindEvidence,
  isAt,
  isBy,
  isOfCustomer,
  isOfInvoice,
  namedIn,
  rowsBy,
} from '../../src/connector-kit/evidence.ts'
import { isTrue } from '../../src/connector-kit/index.ts'
import {
  createQueryRunner,
  empty,
  type Fragment,
  instantCell,
  parseInteger,
  type QueryRunner,
  sql,
  text,
  textList,
  value,
} from '../../src/connector-kit/query-runner.ts'

/**
 * The rows of Kill Bill that made rows behind numbers. For a subscription, they are the events and blocks of the instant in its bundle. The
 * newest events that set plan, phase and quantity come with them. Other rows have their account, invoice or item.
 */
export const findEvidence: FindEvidence = async (snapshot, { params, aliases }, subjects) => {
  const run = createQueryRunner(snapshot)
  const tenants = params['tenants']
  const ids = value(Array.isArray(tenants) ? tenants : [], 'integers')
  const hasQuantity = !aliases.has('kb_event')
  const events = await readEvents(run, ids, namedIn(subjects, 'subscription_id'), hasQuantity)
  const blocks = await readBlocks(run, ids, events)
  const invoices = await readInvoices(run, ids, namedIn(subjects, 'document_id', isOfInvoice))
  const charges = namedIn(subjects, 'document_id', (one) => !isOfInvoice(one))
  const items = await readItems(run, ids, charges)
  const accounts = await readAccounts(run, ids, namedIn(subjects, 'customer_id', isOfCustomer))
  const eventsOf = rowsBy(events, 'bundle_id')
  const bundleOf = new Map(events.map((event) => [event['subscription_id'], String(event['bundle_id'])]))
  const blocksOf = rowsBy(blocks, 'subscription_id')
  const invoicesOf = rowsBy(invoices, 'id')
  const itemsOf = rowsBy(items, 'record_id')
  const accountsOf = rowsBy(accounts, 'id')
  return subjects.map((subject) => {
    const { subscription_id, document_id, customer_id } = subject
    return [
      ...ofSubscription(subject, eventsOf(bundleOf.get(subscription_id) ?? null)),
      ...blocksOf(subscription_id)
        .filter((block) => isAt(block, EFFECTIVE, subject.at))
        .map(blockNote),
      ...invoicesOf(document_id).map(invoiceNote),
      ...(isOfInvoice(subject) ? [] : itemsOf(document_id).map(itemNote)),
      ...(isOfCustomer(subject) ? accountsOf(customer_id).map(accountNote) : []),
    ]
  })
}

const EFFECTIVE = 'effective_date'

/** Columns that an event sets. The newest event that sets one explains the state. */
const SET = ['plan_name', 'phase_name', 'quantity'] as const

/** `events` are those of the subscription's bundle. If the subscription has no event by the instant, the other events explain nothing. */
function ofSubscription({ subscription_id, at }: EvidenceSubject, events: readonly Row[]): readonly Evidence[] {
  const own = events.filter((event) => event['subscription_id'] === subscription_id && isBy(event, EFFECTIVE, at))
  const moved = own.length === 0 ? [] : events.filter((event) => isAt(event, EFFECTIVE, at))
  const newest = SET.map((column) => own.findLast((event) => event[column] !== null && event[column] !== undefined))
  const chosen = new Set([...moved, ...newest])
  return events.filter((event) => chosen.has(event)).map(eventNote)
}

/** Active events of all subscriptions in the bundles of some, in the order of their effect. */
async function readEvents(
  run: QueryRunner,
  tenants: Fragment,
  subscriptions: readonly string[],
  hasQuantity: boolean,
): Promise<readonly Row[]> {
  if (subscriptions.length === 0) return []
  // Other events bind 0, which is no quantity (KB 2.1).
  const quantity = hasQuantity
    ? sql`case when event.event_type = 'QUANTITY_UPDATE' and event.quantity > 0 then event.quantity end as quantity`
    : sql`null as quantity`
  return run(
    'killbill.evidence.events',
    sql`select event.record_id, event.subscription_id, other.bundle_id, event.event_type, event.user_type, event.effective_date,
        event.plan_name, event.phase_name, ${quantity}
      from subscriptions as own
      join subscriptions as other on other.bundle_id = own.bundle_id and other.tenant_record_id in (${tenants})
      join subscription_events as event on event.subscription_id = other.id and event.tenant_record_id in (${tenants})
        and event.is_active = true
      where own.tenant_record_id in (${tenants}) and own.id in (${textList(subscriptions)})
      group by event.record_id, event.subscription_id, other.bundle_id, event.event_type, event.user_type, event.effective_date,
        event.plan_name, event.phase_name${hasQuantity ? sql`, event.quantity` : empty}
      order by event.effective_date, event.record_id`,
  )
}

/** Blocks of billing that concern subscriptions, their bundles or accounts. */
async function readBlocks(run: QueryRunner, tenants: Fragment, events: readonly Row[]): Promise<readonly Row[]> {
  const ids = [...new Set(events.map((event) => String(event['subscription_id'])))]
  if (ids.length === 0) return []
  return run(
    'killbill.evidence.blocks',
    sql`select state.record_id, own.id as subscription_id, state.type, state.state, state.service, state.block_billing,
        state.effective_date
      from subscriptions as own
      join accounts as account on account.record_id = own.account_record_id
      join blocking_states as state on state.blockable_id in (own.id, own.bundle_id, account.id)
        and state.tenant_record_id in (${tenants}) and state.is_active = true
        and state.state not in ('ENT_STARTED', 'ENT_CANCELLED')
      where own.tenant_record_id in (${tenants}) and own.id in (${textList(ids)})
      order by state.effective_date, state.record_id`,
  )
}

/** Invoices by id. */
async function readInvoices(run: QueryRunner, tenants: Fragment, ids: readonly string[]): Promise<readonly Row[]> {
  if (ids.length === 0) return []
  return run(
    'killbill.evidence.invoices',
    sql`select invoice.record_id, invoice.id, invoice.invoice_date, invoice.currency, invoice.status, invoice.created_date
      from invoices as invoice where invoice.tenant_record_id in (${tenants}) and invoice.id in (${textList(ids)})`,
  )
}

/** Invoice items by record id. */
async function readItems(run: QueryRunner, tenants: Fragment, ids: readonly string[]): Promise<readonly Row[]> {
  const known = ids.filter((id) => /^\d{1,15}$/.test(id))
  if (known.length === 0) return []
  return run(
    'killbill.evidence.items',
    sql`select item.record_id, item.id, item.type, item.amount, item.start_date, item.end_date, item.created_date
      from invoice_items as item where item.tenant_record_id in (${tenants}) and item.record_id in (${integers(known)})`,
  )
}

/** Accounts by id. */
async function readAccounts(run: QueryRunner, tenants: Fragment, ids: readonly string[]): Promise<readonly Row[]> {
  if (ids.length === 0) return []
  return run(
    'killbill.evidence.accounts',
    sql`select account.record_id, account.id, account.created_date, account.currency
      from accounts as account where account.tenant_record_id in (${tenants}) and account.id in (${textList(ids)})`,
  )
}

function integers(ids: readonly string[]): Fragment {
  return value(ids.map(Number), 'integers')
}

/** A row of subscription_events: what it sets, from which day. */
function eventNote(row: Row): Evidence {
  const kind = row['user_type'] === null ? text(row['event_type']) : text(row['user_type'])
  const day = dayOf(row['effective_date'])
  const quantity = row['quantity'] === null || row['quantity'] === undefined ? undefined : `quantity ${text(row['quantity'])}`
  const plan = row['plan_name'] === null ? undefined : `plan ${text(row['plan_name'])}`
  const phase = row['phase_name'] === null || plan !== undefined ? undefined : `phase ${text(row['phase_name'])}`
  const set = [plan, phase, quantity].filter((part) => part !== undefined).join(', ')
  const note = set === '' ? `${kind} on ${day}` : `${set} since ${day} (${kind})`
  return { ...placeOf('subscription_events', row), occurred_at: instantCell(row, 'effective_date'), note }
}

/** A row of blocking_states. */
function blockNote(row: Row): Evidence {
  const effect = isTrue(row['block_billing']) ? 'billing blocked' : 'billing not blocked'
  const where = `${text(row['state'])} of ${text(row['service'])} on the ${text(row['type']).toLowerCase().replaceAll('_', ' ')}`
  const note = `${effect} since ${dayOf(row['effective_date'])} (${where})`
  return { ...placeOf('blocking_states', row), occurred_at: instantCell(row, 'effective_date'), note }
}

/** A row of invoices. */
function invoiceNote(row: Row): Evidence {
  const note = `invoice of ${dayOf(row['invoice_date'])} in ${text(row['currency'])}, ${text(row['status']).toLowerCase()}`
  return { ...placeOf('invoices', row), occurred_at: instantCell(row, 'created_date'), note }
}

/** A row of invoice_items. */
function itemNote(row: Row): Evidence {
  const end = row['end_date'] === null ? '' : ` to ${dayOf(row['end_date'])}`
  const amount = Number(text(row['amount']))
  const note = `${text(row['type'])} item of ${amount} from ${dayOf(row['start_date'])}${end}`
  return { ...placeOf('invoice_items', row), occurred_at: instantCell(row, 'created_date'), note }
}

/** A row of accounts. */
function accountNote(row: Row): Evidence {
  const note = `account created on ${dayOf(row['created_date'])}`
  return { ...placeOf('accounts', row), occurred_at: instantCell(row, 'created_date'), note }
}

function placeOf(table: string, row: Row): Pick<Evidence, 'table' | 'record_id' | 'id'> {
  const id = row['id']
  return { table, record_id: parseInteger(row['record_id']), id: typeof id === 'string' ? id : null }
}

function dayOf(cell: Row[string] | undefined): string {
  return text(cell).slice(0, 10)
}
