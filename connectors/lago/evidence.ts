import type { ConnectorSession, Row } from '../../src/connector-kit/connector.ts'
import {
  chargesIn,
  counted,
  type Evidence,
  type EvidenceSubject,
  type FindEvidence,
  isAt,
  isBy,
  isOfCustomer,
  namedIn,
  rowsBy,
  secondOf,
} from '../../src/connector-kit/evidence.ts'
import { parseInteger, text } from '../../src/connector-kit/query-runner.ts'
import {
  amountTexts,
  chargeNote,
  creditNote,
  customerNote,
  feeNote,
  fixedChargeNote,
  invoiceNote,
  planNote,
  settlementNote,
  subscriptionNote,
  unitNote,
  versionNote,
} from './evidence-notes.ts'
import { evidenceReader, idsOf } from './evidence-rows.ts'

/**
 * The rows of Lago that made rows behind numbers. For a subscription, they are its rows that begin, end or hold at the instant. The plan, the
 * edits of its price, the units in force, the usage that was paid then, and the fees of the usage part of MRR come with them. A charge of usage
 * has its fee and invoice, an invoice its payments and credit notes, a customer its own row. A row of the ledger has the fees, credit notes and invoices
 * that its key names.
 */
export const findEvidence: FindEvidence = async (snapshot, session, subjects) => {
  const read = evidenceReader(snapshot, session)
  const rows = await read.subscriptions(namedIn(subjects, 'subscription_id').map(rowOf))
  const rowIds = idsIn(rows, 'id')
  const moves = await read.versions([], rowIds)
  const planIds = [...new Set([...idsIn(rows, 'plan_id'), ...idsIn(moves, 'plan_before'), ...idsIn(moves, 'plan_after')])]
  const fixed = await read.fixedCharges(planIds)
  const named = namedIn(subjects, 'document_id').flatMap(idsOf)
  const charges = [...new Set([...named, ...chargesIn(subjects)])]
  const fees = await read.fees(charges, subjects.some(isOfSubscription) ? rowIds : [])
  const feeIds = new Set(idsIn(fees, 'id'))
  const others = named.filter((id) => !feeIds.has(id))
  // Only the ledger needs the columns of credit notes, which a role may lack.
  const isLedgerKnown = (session.relations_unknown ?? []).length === 0
  const notes = isLedgerKnown ? await read.creditNotes(others) : []
  const invoiceIds = [...new Set([...others, ...idsIn(fees, 'invoice_id'), ...idsIn(notes, 'invoice_id')])]
  const found: Found = {
    rows: rowsBy(rows, 'id'),
    ofExternalId: rowsBy(rows.map(keyed), 'external_key'),
    moves: rowsBy(moves, 'item_id'),
    plans: rowsBy(await read.plans(planIds), 'id'),
    edits: rowsBy(await read.versions(planIds, []), 'item_id'),
    deleted: rowsBy(await read.charges(planIds), 'plan_id'),
    fixed: rowsBy(fixed, 'plan_id'),
    units: rowsBy(await read.units(rowIds), 'subscription_id'),
    fees: rowsBy(fees, 'id'),
    feesOf: rowsBy(
      fees.filter((fee) => parseInteger(fee['fee_type'] ?? 0) === 0),
      'subscription_id',
    ),
    notes: rowsBy(notes, 'id'),
    invoices: rowsBy(await read.invoices(invoiceIds), 'id'),
    settlements: rowsBy(await read.settlements(invoiceIds), 'invoice_id'),
    amount: amountTexts(factorsOf(session)),
  }
  const customers = rowsBy(await read.customers(namedIn(subjects, 'customer_id', isOfCustomer)), 'id')
  return subjects.map((subject) => {
    if (isOfCustomer(subject)) return customers(subject.customer_id).map(customerNote)
    if (isOfSubscription(subject)) return ofSubscription(subject, found)
    return ofDocument(idsOf(subject.document_id), found)
  })
}

type RowsOf = ReturnType<typeof rowsBy>

/** The rows that the subjects of a page may need, each by its key. */
interface Found {
  readonly rows: RowsOf
  readonly ofExternalId: RowsOf
  readonly moves: RowsOf
  readonly plans: RowsOf
  readonly edits: RowsOf
  readonly deleted: RowsOf
  readonly fixed: RowsOf
  readonly units: RowsOf
  readonly fees: RowsOf
  readonly feesOf: RowsOf
  readonly notes: RowsOf
  readonly invoices: RowsOf
  readonly settlements: RowsOf
  readonly amount: ReturnType<typeof amountTexts>
}

function isOfSubscription({ subscription_id, document_id }: EvidenceSubject): boolean {
  return subscription_id !== null && document_id === null
}

/** The row with which a subscription begins. A number follows its id if the subscription begins in the middle of that row. */
function rowOf(subscription_id: string): string {
  return subscription_id.replace(/\..*/, '')
}

function keyed(row: Row): Row {
  return { ...row, external_key: externalKey(row) }
}

function externalKey(row: Row): string {
  return JSON.stringify([row['customer_id'], row['external_id']])
}

function ofInvoice(id: string | null, { invoices, settlements, amount }: Found): readonly Evidence[] {
  return invoices(id).flatMap((invoice) => [
    invoiceNote(invoice, amount),
    ...settlements(id).map((settlement) => settlementNote(settlement, amount)),
  ])
}

/** The fees and credit notes that a key names, and their invoices or those that it names. */
function ofDocument(ids: readonly string[], found: Found): readonly Evidence[] {
  const [fees, notes] = [ids.flatMap((id) => found.fees(id)), ids.flatMap((id) => found.notes(id))]
  const invoices = new Set([...ids, ...idsIn(fees, 'invoice_id'), ...idsIn(notes, 'invoice_id')])
  return [
    ...fees.map((fee) => feeNote(fee, found.amount)),
    ...notes.map((note) => creditNote(note, found.amount)),
    ...[...invoices].flatMap((id) => ofInvoice(id, found)),
  ]
}

function ofSubscription({ subscription_id, at, usage }: EvidenceSubject, found: Found): readonly Evidence[] {
  const [begun] = found.rows(subscription_id === null ? null : rowOf(subscription_id))
  if (begun === undefined) return []
  const all = found.ofExternalId(externalKey(begun))
  const started = all.filter((row) => isBy(row, 'started_at', at))
  // The row that was created last replaces the others from its start on.
  const inForce = [...started].sort((a, b) => (secondOf(a, 'created_at') < secondOf(b, 'created_at') ? -1 : 1)).at(-1) ?? begun
  const shown = all.filter((row) => row === inForce || isAt(row, 'started_at', at) || isAt(row, 'ended_at', at))
  const moves = found.moves(text(inForce['id']))
  const plan = idIn(moves.find((move) => !isBy(move, 'created_at', at)) ?? {}, 'plan_before') ?? text(inForce['plan_id'])
  return [
    ...shown.map((row) => subscriptionNote(row, planOf(row['plan_id'], found).code)),
    ...told(moves, at).map((move) => versionNote(move, found.amount, planOf(plan, found))),
    ...plansOf(shown, inForce, plan).flatMap((id) => found.plans(id).map((row) => planNote(row, found.amount))),
    ...told(found.edits(plan), at).map((edit) => versionNote(edit, found.amount, planOf(plan, found))),
    ...found
      .deleted(plan)
      .filter((row) => isAt(row, 'deleted_at', at))
      .map(chargeNote),
    ...ofUnits(inForce, plan, at, found),
    ...usage.flatMap((charge) => found.fees(charge.charge_id).map((fee) => counted(feeNote(fee, found.amount), charge))),
    ...started
      .filter((row) => isBy(begun, 'started_at', secondOf(row, 'started_at')))
      .flatMap((row) => paidUsage(text(row['id']), at, found))
      .filter(({ table, id }) => table !== 'fees' || !usage.some((charge) => charge.charge_id === id)),
  ]
}

/** The plan in force, and those of the rows that ended or began at the instant. */
function plansOf(shown: readonly Row[], inForce: Row, plan: string): readonly string[] {
  return [
    ...new Set([
      ...idsIn(
        shown.filter((row) => row !== inForce),
        'plan_id',
      ),
      plan,
    ]),
  ]
}

/** The changes of the instant, and the first one after it: its value before held at the instant. `versions` are in order. */
function told(versions: readonly Row[], at: string | null): readonly Row[] {
  const next = versions.find((version) => !isBy(version, 'created_at', at))
  return versions.filter((version) => version === next || isAt(version, 'created_at', at))
}

/** The fixed charges of a plan at an instant, and the event of each that was created last among those that had begun. */
function ofUnits(row: Row, plan: string, at: string | null, found: Found): readonly Evidence[] {
  // The engine stamps the first event one second after the start of the row.
  const until = at === null ? null : new Date(Date.parse(at) + 1000).toISOString()
  const events = found
    .units(text(row['id']))
    .filter((event) => isBy(event, 'stamped_at', isAt(row, 'started_at', at) ? until : at))
  return found
    .fixed(plan)
    .filter((charge) => charge['deleted_at'] === null || !isBy(charge, 'deleted_at', at) || isAt(charge, 'deleted_at', at))
    .flatMap((charge) => {
      const event = events.find(({ fixed_charge_id: id }) => id === charge['id'] || id === charge['parent_id'])
      return [fixedChargeNote(charge), ...(event === undefined ? [] : [unitNote(event, text(charge['code']))])]
    })
}

/** Usage fees of a row that were paid at the instant, with the payment or credit note of that instant. */
function paidUsage(row: string, at: string | null, { feesOf, invoices, settlements, amount }: Found): readonly Evidence[] {
  return feesOf(row).flatMap((fee) => {
    const id = idIn(fee, 'invoice_id')
    const [invoice] = invoices(id)
    const paid = settlements(id).filter((settlement) => isAt(settlement, 'settled_at', at))
    const isPaid =
      paid.length > 0 || isAt(fee, 'succeeded_at', at) || (invoice !== undefined && isAt(invoice, 'committed_at', at))
    return isPaid ? [feeNote(fee, amount), ...paid.map((settlement) => settlementNote(settlement, amount))] : []
  })
}

function planOf(id: Row[string] | undefined, { plans }: Found): { readonly code: string; readonly currency: string } {
  const [plan] = plans(id === undefined || id === null ? null : String(id))
  return { code: text(plan?.['code'] ?? '–'), currency: text(plan?.['amount_currency'] ?? '') }
}

function idIn(row: Row, column: string): string | null {
  const id = row[column]
  return typeof id === 'string' ? id : null
}

function idsIn(rows: readonly Row[], column: string): readonly string[] {
  return [...new Set(rows.flatMap((row) => idIn(row, column) ?? []))]
}

function factorsOf({ inline }: ConnectorSession): ReadonlyMap<string, string> {
  const rows = inline.get('lago_minor_unit')?.rows ?? []
  return new Map(rows.map(([currency, factor]) => [String(currency), String(factor)]))
}
