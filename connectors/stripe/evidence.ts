import type { Row } from '../../src/connector-kit/connector.ts'
import {
  type CountedCharge,
  counted,
  type Evidence,
  type EvidenceSubject,
  type FindEvidence,
  isAt,
  isBy,
  isOfCustomer,
  isOfInvoice,
  namedIn,
  rowsBy,
  secondOf,
} from '../../src/connector-kit/evidence.ts'
import { text } from '../../src/connector-kit/query-runner.ts'
import { groupBy } from '../../src/core/group-by.ts'
import type { Mode } from './documents.ts'
import { customerNote, invoiceNote, itemNote, lineNote, priceNote, refundNote, subscriptionNote } from './evidence-notes.ts'
import { type EvidenceReader, evidenceReader } from './evidence-rows.ts'
import type { WentBack } from './expanded/refunds.ts'

/**
 * The documents of a mirror that made rows behind numbers. For a subscription, they are its row and the lines that begin at the instant or hold
 * then, with their invoices and prices. Items that no later line states and usage that was paid then come with them. A charge of usage has its
 * line and invoice. An invoice has its row, and what went back for it at the instant. A customer has its row too.
 */
export function findEvidence(mode: Mode): FindEvidence {
  return async (snapshot, session, subjects) => {
    const read = await evidenceReader(snapshot, session, mode)
    const history = await readHistory(read, subjects)
    const chosen = subjects.map((subject) => chosenFor(subject, history))
    const parts = await readParts(read, chosen, history)
    return chosen.map((one) => written(one, parts))
  }
}

type RowsOf = ReturnType<typeof rowsBy>

const RANKS = ['credit', 'debit', 'trial', 'full']

/** Expanded rows of the customers. They decide which documents a subject shows. */
interface History {
  readonly subscriptions: RowsOf
  readonly items: RowsOf
  /** Lines of licensed prices and of metered prices by subscription, and all lines by id. */
  readonly stated: RowsOf
  readonly metered: RowsOf
  readonly lines: RowsOf
  readonly invoices: RowsOf
  readonly invoicesOf: RowsOf
  readonly draftsOf: RowsOf
  /** Refunds and lost disputes by invoice. */
  readonly refundsOf: RowsOf
  /** Customers that have a row. */
  readonly customers: RowsOf
}

/** The documents of a subject, by id. */
interface Chosen {
  readonly customers?: readonly Row[]
  readonly subscriptions?: readonly Row[]
  readonly lines?: readonly Row[]
  readonly items?: readonly Row[]
  readonly invoices?: readonly string[]
  /** Refunds and disputes. */
  readonly refunds?: readonly Row[]
  readonly usage?: readonly CountedCharge[]
}

async function readHistory(read: EvidenceReader, subjects: readonly EvidenceSubject[]): Promise<History> {
  const alone = namedIn(subjects, 'customer_id', isOfCustomer)
  const customers = rowsBy(await read.customers(alone), 'id')
  // Only its invoices know a customer without a row.
  const rowless = alone.filter((id) => customers(id).length === 0)
  const ofLines = namedIn(subjects, 'customer_id', (one) => one.subscription_id !== null)
  const lines = await read.linesOf(ofLines)
  const invoices = await read.invoicesOf([...new Set([...ofLines, ...rowless])])
  const subscriptions = namedIn(subjects, 'subscription_id')
  return {
    customers,
    subscriptions: rowsBy(await read.subscriptions(subscriptions), 'id'),
    items: rowsBy(await read.items(subscriptions), 'subscription_id'),
    stated: rowsBy(lines.filter(isStated), 'subscription_id'),
    metered: rowsBy(
      lines.filter((line) => !isStated(line)),
      'subscription_id',
    ),
    lines: rowsBy(lines, 'line_id'),
    invoices: rowsBy(invoices, 'invoice_id'),
    invoicesOf: rowsBy(invoices, 'customer_id'),
    draftsOf: rowsBy(
      invoices.filter(({ status }) => status === 'draft'),
      'subscription_id',
    ),
    refundsOf: rowsBy(await read.refundsOf(namedIn(subjects, 'customer_id', isOfInvoice)), 'invoice_id'),
  }
}

function isStated({ kind }: Row): boolean {
  return kind !== 'usage'
}

function chosenFor(subject: EvidenceSubject, history: History): Chosen {
  if (isOfInvoice(subject)) {
    const refunds = history.refundsOf(subject.document_id).filter((refund) => isAt(refund, 'refunded_at', subject.at))
    return { invoices: namedIn([subject], 'document_id'), refunds: sortedBy(refunds, ({ refund_id }) => String(refund_id)) }
  }
  if (isOfCustomer(subject)) return ofCustomer(subject, history)
  return subject.document_id === null
    ? ofSubscription(subject, history)
    : { lines: history.lines(subject.document_id), invoices: idsIn(history.lines(subject.document_id), 'invoice_id') }
}

/** The row of a customer, else its newest invoice. */
function ofCustomer({ customer_id }: EvidenceSubject, { customers, invoicesOf }: History): Chosen {
  const own = customers(customer_id)
  const newest = sortedBy(invoicesOf(customer_id), (invoice) => secondOf(invoice, 'created_at')).slice(-1)
  return own.length > 0 ? { customers: own } : { invoices: idsIn(newest, 'invoice_id') }
}

function ofSubscription({ subscription_id, at, usage }: EvidenceSubject, history: History): Chosen {
  const stated = inOrder(history.stated(subscription_id))
  const today = history.items(subscription_id)
  const changes = stated.filter((line) => isAt(line, 'starts_at', at))
  const items = [...groupBy(stated, ({ item_id }) => String(item_id)).values()]
  const held = items.flatMap((lines) => heldLine(lines, today, at))
  const shown = changes.length + held.length > 0 ? [...changes, ...held] : firstLines(stated)
  const paid = history.metered(subscription_id).filter((line) => isPaidAt(line, at, history))
  const counting = new Set(usage.map(({ charge_id }) => charge_id))
  const drafts = history.draftsOf(subscription_id).filter((draft) => isAt(draft, 'created_at', at))
  const lines = unique(shown, 'line_id')
  const fees = paid.filter(({ line_id }) => !counting.has(String(line_id)))
  return {
    subscriptions: history.subscriptions(subscription_id),
    items: today.filter((item) => isLastWord(item, stated, at)),
    lines: [...lines, ...fees],
    invoices: [...new Set([...idsIn([...lines, ...paid], 'invoice_id'), ...idsIn(drafts, 'invoice_id')])],
    usage,
  }
}

/** The lines of a subscription in order. At one instant, a full line says more than a change, and a change more than a credit (S15). */
function inOrder(lines: readonly Row[]): readonly Row[] {
  return sortedBy(lines, (line) => `${secondOf(line, 'starts_at')} ${RANKS.indexOf(text(line['kind']))}`)
}

/** The line of an item that holds at an instant: the last one before it, unless the item was gone before. */
function heldLine(lines: readonly Row[], today: readonly Row[], at: string | null): readonly Row[] {
  const last = lines.filter((line) => isBy(line, 'starts_at', at)).at(-1)
  if (last === undefined || last['kind'] === 'credit') return []
  const isPast = isBy(last, 'ends_at', at) && !isAt(last, 'ends_at', at)
  return isPast && !today.some(({ id }) => id === last['item_id']) ? [] : [last]
}

/** The first lines of a subscription, which hold from its start (S17). */
function firstLines(stated: readonly Row[]): readonly Row[] {
  return stated.filter((line) => secondOf(line, 'starts_at') === secondOf(stated[0] ?? line, 'starts_at'))
}

/** True for an item of today that no line states after the instant, or from which it begins: the row of today has the last word about it (S18). */
function isLastWord(item: Row, stated: readonly Row[], at: string | null): boolean {
  const isLater = stated.some(({ item_id, ...line }) => item_id === item['id'] && !isBy(line, 'starts_at', at))
  return isBy(item, 'created_at', at) ? !isLater : stated.length === 0
}

function isPaidAt({ invoice_id }: Row, at: string | null, { invoices }: History): boolean {
  return invoices(String(invoice_id)).some((invoice) => invoice['paid_at'] !== null && isAt(invoice, 'paid_at', at))
}

/** The documents that the subjects show, each by its id. */
type Parts = Readonly<Record<'lines' | 'prices' | 'invoices' | WentBack, RowsOf>>

async function readParts(read: EvidenceReader, chosen: readonly Chosen[], history: History): Promise<Parts> {
  const charges = chosen.flatMap(({ usage = [] }) => usage.flatMap(({ charge_id }) => history.lines(charge_id)))
  const lines = [...chosen.flatMap((one) => one.lines ?? []), ...charges]
  const items = chosen.flatMap((one) => one.items ?? [])
  const invoices = chosen.flatMap((one) => one.invoices ?? [])
  const refunds = async (table: WentBack) => {
    const own = chosen.flatMap((one) => one.refunds ?? []).filter(({ table_name }) => table_name === table)
    return rowsBy(await read.refunds(table, idsIn(own, 'refund_id')), 'id')
  }
  return {
    lines: rowsBy(await read.lines(idsIn(lines, 'line_id'), idsIn(lines, 'invoice_id')), 'id'),
    prices: rowsBy(await read.prices(idsIn([...lines, ...items], 'price_id')), 'id'),
    invoices: rowsBy(await read.invoices([...new Set(invoices)]), 'id'),
    refunds: await refunds('refunds'),
    disputes: await refunds('disputes'),
  }
}

function written(
  { customers = [], subscriptions = [], lines = [], items = [], invoices = [], refunds = [], usage = [] }: Chosen,
  parts: Parts,
) {
  return [
    ...customers.map(customerNote),
    ...subscriptions.map(subscriptionNote),
    ...lines.flatMap(({ line_id }) => parts.lines(String(line_id)).map(lineNote)),
    ...items.map(itemNote),
    ...idsIn([...lines, ...items], 'price_id').flatMap((id) => parts.prices(id).map(priceNote)),
    ...invoices.flatMap((id) => parts.invoices(id).map(invoiceNote)),
    ...refunds.flatMap(({ table_name, refund_id }) => parts[table_name as WentBack](String(refund_id)).map(refundNote)),
    ...usage.flatMap((charge) => parts.lines(charge.charge_id).map((line) => counted(lineNote(line), charge))),
  ] satisfies readonly Evidence[]
}

function sortedBy(rows: readonly Row[], key: (row: Row) => string): readonly Row[] {
  return [...rows].sort((a, b) => (key(a) === key(b) ? 0 : key(a) < key(b) ? -1 : 1))
}

function unique(rows: readonly Row[], column: string): readonly Row[] {
  return [...new Map(rows.map((row) => [text(row[column]), row])).values()]
}

function idsIn(rows: readonly Row[], column: string): readonly string[] {
  return [...new Set(rows.flatMap((row) => (row[column] === null ? [] : [text(row[column])])))]
}
