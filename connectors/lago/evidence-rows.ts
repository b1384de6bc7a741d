import type { ConnectorSession, Row, Snapshot } from '../../src/connector-kit/connector.ts'
import { createQueryRunner, type Fragment, fn, join, sql, text, textList, value } from '../../src/connector-kit/query-runner.ts'

/** Reads rows of the database by ids, of the chosen organizations only. Ids of another form name no row. */
export interface EvidenceReader {
  /** Rows of subscriptions that were ever in force, of the external ids to which some rows belong. */
  subscriptions(ids: readonly string[]): Promise<readonly Row[]>
  /** Plans by id. */
  plans(ids: readonly string[]): Promise<readonly Row[]>
  /** Usage charges and fixed charges of plans. */
  charges(plans: readonly string[]): Promise<readonly Row[]>
  fixedCharges(plans: readonly string[]): Promise<readonly Row[]>
  /** Events that set the units of fixed charges, the last created first. */
  units(subscriptions: readonly string[]): Promise<readonly Row[]>
  /** Changes of the price of plans, and of the plan of subscriptions, the first one first. */
  versions(plans: readonly string[], subscriptions: readonly string[]): Promise<readonly Row[]>
  /** Credit notes by id. */
  creditNotes(ids: readonly string[]): Promise<readonly Row[]>
  /** Fees by id, and usage fees of some subscriptions. */
  fees(ids: readonly string[], subscriptions: readonly string[]): Promise<readonly Row[]>
  invoices(ids: readonly string[]): Promise<readonly Row[]>
  /** Payments and credit notes that settled invoices, and changes of their status to paid, with the instant of each. */
  settlements(invoices: readonly string[]): Promise<readonly Row[]>
  customers(ids: readonly string[]): Promise<readonly Row[]>
}

/** A value in the saved changes of an item, before or after the change. */
const change = (path: Fragment) => fn('json_text', sql`version.object_changes`, path)

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const UUIDS = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi

/** The ids in the key of a row: that of a fee, or several, such as those of a credit note and a fee. */
export function idsOf(document_id: string | null): readonly string[] {
  return document_id?.match(UUIDS) ?? []
}

/** The reader of a session. */
export function evidenceReader(snapshot: Snapshot, { sources }: Pick<ConnectorSession, 'sources'>): EvidenceReader {
  const run = createQueryRunner(snapshot)
  const keys = keysOf(snapshot.dialect.name)
  const organizations = textList(sources.length === 0 ? [''] : sources.map(({ source_id }) => source_id))
  const owned = sql`select buyer.id from customers as buyer where ${fn('text', sql`buyer.organization_id`)} in (${organizations})`
  const ask = async (label: string, ids: readonly string[], statement: (list: Fragment) => Fragment) => {
    const known = ids.filter((id) => UUID.test(id))
    return known.length === 0 ? [] : run(`lago.evidence.${label}`, statement(keys(known)))
  }
  return {
    subscriptions: (ids) =>
      ask(
        'subscriptions',
        ids,
        (list) => sql`select part.id, part.customer_id, part.external_id, part.plan_id, part.status, part.started_at,
            case when part.status = 2 then part.terminated_at end as ended_at, part.created_at
          from subscriptions as part
          where (part.customer_id, part.external_id) in (
              select own.customer_id, own.external_id from subscriptions as own where own.id in (${list})
            ) and part.customer_id in (${owned}) and part.status in (1, 2) and part.started_at is not null
          order by part.started_at, part.created_at, part.id`,
      ),
    plans: (ids) =>
      ask(
        'plans',
        ids,
        (list) => sql`select plan.id, plan.code, plan.interval, plan.amount_cents, plan.amount_currency, plan.trial_period,
            plan.updated_at
          from plans as plan where plan.id in (${list}) and ${fn('text', sql`plan.organization_id`)} in (${organizations})`,
      ),
    charges: (plans) =>
      ask(
        'charges',
        plans,
        (list) => sql`select charge.id, charge.plan_id, charge.deleted_at from charges as charge
          where charge.plan_id in (${list}) and ${fn('text', sql`charge.organization_id`)} in (${organizations})
            and charge.deleted_at is not null`,
      ),
    fixedCharges: (plans) =>
      ask(
        'fixed_charges',
        plans,
        (
          list,
        ) => sql`select charge.id, charge.plan_id, charge.parent_id, charge.code, ${fn('text', sql`charge.charge_model`)} as charge_model,
            ${fn('text', sql`charge.properties`)} as properties, charge.created_at, charge.deleted_at
          from fixed_charges as charge
          where charge.plan_id in (${list}) and ${fn('text', sql`charge.organization_id`)} in (${organizations}) order by charge.code, charge.id`,
      ),
    units: (subscriptions) =>
      ask(
        'units',
        subscriptions,
        (list) => sql`select event.id, event.subscription_id, event.fixed_charge_id, ${fn('text', sql`event.units`)} as units,
            event.timestamp as stamped_at
          from fixed_charge_events as event where event.subscription_id in (${list}) and event.deleted_at is null
          order by event.created_at desc, event.id desc`,
      ),
    versions: (plans, subscriptions) => {
      const items = textList([...plans, ...subscriptions])
      return plans.length + subscriptions.length === 0
        ? Promise.resolve([])
        : run(
            'lago.evidence.versions',
            sql`select version.id, version.item_type, version.item_id, version.created_at,
                ${change(sql`'$.amount_cents[0]'`)} as amount_before, ${change(sql`'$.amount_cents[1]'`)} as amount_after,
                ${change(sql`'$.plan_id[0]'`)} as plan_before, ${change(sql`'$.plan_id[1]'`)} as plan_after
              from versions as version
              where version.item_type in ('Plan', 'Subscription') and version.item_id in (${items}) and version.event <> 'create'
                and (version.item_type = 'Plan' and ${change(sql`'$.amount_cents[1]'`)} is not null
                  or version.item_type = 'Subscription' and ${change(sql`'$.plan_id[1]'`)} is not null)
              order by version.created_at, version.id`,
          )
    },
    fees: async (ids, subscriptions) => {
      const columns = sql`fee.id, fee.subscription_id, fee.invoice_id, fee.fee_type, fee.amount_cents, fee.amount_currency, fee.succeeded_at,
            coalesce(${fn('json_text', sql`fee.properties`, sql`'$.charges_from_datetime'`)}, ${fn('json_text', sql`fee.properties`, sql`'$.timestamp'`)},
              ${fn('json_text', sql`fee.properties`, sql`'$.from_datetime'`)}) as served_from`
      const of = (condition: Fragment) => sql`select ${columns} from fees as fee
          left join subscriptions as part on part.id = fee.subscription_id
          left join invoices as invoice on invoice.id = fee.invoice_id
          where ${condition} and fee.deleted_at is null and coalesce(part.customer_id, invoice.customer_id) in (${owned}) order by fee.id`
      const byId = await ask('fees', ids, (list) => of(sql`fee.id in (${list})`))
      const bySubscription = await ask('fees', subscriptions, (list) =>
        of(sql`fee.subscription_id in (${list}) and fee.fee_type = 0`),
      )
      return [...new Map([...byId, ...bySubscription].map((row) => [text(row['id']), row])).values()]
    },
    creditNotes: (ids) =>
      ask(
        'credit_notes',
        ids,
        (
          list,
        ) => sql`select note.id, note.invoice_id, note.credit_amount_cents, note.refund_amount_cents, note.offset_amount_cents,
            note.created_at, invoice.currency
          from credit_notes as note join invoices as invoice on invoice.id = note.invoice_id
          where note.id in (${list}) and note.customer_id in (${owned})`,
      ),
    invoices: (ids) =>
      ask(
        'invoices',
        ids,
        (
          list,
        ) => sql`select invoice.id, invoice.number, invoice.issuing_date, invoice.currency, invoice.total_amount_cents, invoice.created_at,
            coalesce(invoice.finalized_at, invoice.created_at) as committed_at
          from invoices as invoice where invoice.id in (${list}) and invoice.customer_id in (${owned})`,
      ),
    settlements: (invoices) =>
      ask('settlements', invoices, (list) => {
        const settled = sql`case when ${fn('text', sql`payment.payment_type`)} = 'manual' then payment.created_at else payment.updated_at end`
        const payment = sql`'payments' as table_name, ${fn('text', sql`payment.id`)} as id, payment.amount_cents, payment.amount_currency,
            ${fn('text', sql`payment.payment_type`)} as kind, ${settled} as settled_at`
        const isPaid = sql`${fn('text', sql`payment.payable_payment_status`)} = 'succeeded' and payment.customer_id in (${owned})`
        const named = sql`select invoice.id from invoices as invoice where invoice.id in (${list}) and invoice.customer_id in (${owned})`
        return sql`select payment.payable_id as invoice_id, ${payment} from payments as payment
            where payment.payable_type = 'Invoice' and payment.payable_id in (${list}) and ${isPaid}
          union all
          select covered.invoice_id, ${payment} from invoices_payment_requests as covered
            join payments as payment on payment.payable_id = covered.payment_request_id and payment.payable_type = 'PaymentRequest'
            where covered.invoice_id in (${list}) and ${isPaid}
          union all
          select credited.target_invoice_id, 'invoice_settlements', ${fn('text', sql`credited.id`)}, credited.amount_cents, credited.amount_currency,
            'credit note', credited.created_at
          from invoice_settlements as credited
          where credited.target_invoice_id in (${named}) and ${fn('text', sql`credited.settlement_type`)} = 'credit_note'
          union all
          select invoice.id, 'versions', ${fn('text', sql`version.id`)}, null, null, 'mark', version.created_at
          from (${named}) as invoice
          join versions as version on version.item_type = 'Invoice' and version.item_id = ${fn('text', sql`invoice.id`)}
          where version.event <> 'create' and ${change(sql`'$.payment_status[1]'`)} in ('succeeded', '1')
          order by settled_at, id`
      }),
    customers: (ids) =>
      ask(
        'customers',
        ids,
        (list) =>
          sql`select buyer.id, buyer.created_at from customers as buyer where buyer.id in (${list}) and buyer.id in (${owned})`,
      ),
  }
}

/** Ids as the database compares them, so that it can use its indexes. Copies on Trino have them as texts. */
function keysOf(dialect: string): (ids: readonly string[]) => Fragment {
  if (dialect === 'trino') return textList
  return (ids) =>
    join(
      ids.map((id) => sql`cast(${value(id, 'text')} as uuid)`),
      sql`, `,
    )
}
