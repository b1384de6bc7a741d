import type { Evidence, EvidenceSubject, FindEvidence } from '../../../src/connector-kit/evidence.ts'
import { createQueryRunner, value } from '../../../src/connector-kit/query-runner.ts'
import type { Row } from '../../../src/ports/rows.ts'
import { readAccounts, readBlocks, readEvents, readInvoices, readItems } from './read.ts'
import { accountNote, blockNote, eventNote, invoiceNote, itemNote } from './sentences.ts'

/**
 * The rows of Kill Bill that made rows behind numbers. For a subscription, they are the events and blocks of the instant in its bundle. The
 * newest events that set plan, phase and quantity come with them. Other rows have their account, invoice or item.
 */
export const findEvidence: FindEvidence = async (snapshot, { params, aliases }, subjects) => {
  const run = createQueryRunner(snapshot)
  const tenants = params['tenants']
  const ids = value(Array.isArray(tenants) ? tenants : [], 'integers')
  const named = (key: 'subscription_id' | 'document_id' | 'customer_id', wanted: (one: EvidenceSubject) => boolean) => [
    ...new Set(subjects.filter(wanted).flatMap((subject) => subject[key] ?? [])),
  ]
  const hasQuantity = !aliases.has('kb_event')
  const events = await readEvents(
    run,
    ids,
    named('subscription_id', () => true),
    hasQuantity,
  )
  const blocks = await readBlocks(run, ids, events)
  const invoices = await readInvoices(run, ids, named('document_id', isOfInvoice))
  const items = await readItems(
    run,
    ids,
    named('document_id', (one) => !isOfInvoice(one)),
  )
  const accounts = await readAccounts(run, ids, named('customer_id', isOfCustomer))
  return subjects.map((subject) => [
    ...ofSubscription(subject, events),
    ...ofInstant(blocks, subject).map(blockNote),
    ...invoices.filter(({ id }) => id === subject.document_id).map(invoiceNote),
    ...items.filter(({ record_id }) => String(record_id) === subject.document_id && !isOfInvoice(subject)).map(itemNote),
    ...(isOfCustomer(subject) ? accounts.filter(({ id }) => id === subject.customer_id).map(accountNote) : []),
  ])
}

function isOfInvoice({ subscription_id, document_id }: EvidenceSubject): boolean {
  return document_id !== null && subscription_id === null
}

function isOfCustomer({ subscription_id, document_id }: EvidenceSubject): boolean {
  return subscription_id === null && document_id === null
}

/** Columns that an event sets. The newest event that sets one explains the state. */
const SET = ['plan_name', 'phase_name', 'quantity'] as const

function ofSubscription({ subscription_id, at }: EvidenceSubject, events: readonly Row[]): readonly Evidence[] {
  if (subscription_id === null) return []
  const own = events.filter((event) => event['subscription_id'] === subscription_id && isBy(event, at))
  const bundles = new Set(own.map((event) => event['bundle_id']))
  const moved = events.filter((event) => bundles.has(event['bundle_id'] ?? null) && isAt(event, at))
  const newest = SET.map((column) => own.findLast((event) => event[column] !== null && event[column] !== undefined))
  const chosen = new Set([...moved, ...newest])
  return events.filter((event) => chosen.has(event)).map(eventNote)
}

function ofInstant(blocks: readonly Row[], { subscription_id, at }: EvidenceSubject): readonly Row[] {
  return blocks.filter((block) => block['subscription_id'] === subscription_id && isAt(block, at))
}

// Instants of rows are `YYYY-MM-DD HH:MM:SS` with fractions; those of subjects have milliseconds.
function instantOf(row: Row): string {
  return String(row['effective_date']).replace(' ', 'T').slice(0, 19)
}

function isAt(row: Row, at: string | null): boolean {
  return at !== null && instantOf(row) === at.slice(0, 19)
}

function isBy(row: Row, at: string | null): boolean {
  return at === null || instantOf(row) <= at.slice(0, 19)
}
