import type { Row } from '../../src/connector-kit/connector.ts'
import type { Tables } from '../support/data/killbill/tables.ts'
import type { FoldedCustomer } from '../support/oracles/fold/fold-tables.ts'
import { groupBy } from '../support/oracles/killbill/fold/group.ts'

interface Billed {
  readonly tables: Tables
  readonly customers: readonly FoldedCustomer[]
}

const WRITTEN_OFF = '00000000-0000-0000-0000-000000000004'

/** The special traits of a history's invoices, one word each. */
export function invoiceTraits({ tables, customers }: Billed): string[] {
  const paid = new Map(customers.flatMap((customer) => customer.paid_invoices.map((one) => [one.invoice_id, one])))
  const of = (table: string, id: unknown) => tables(table).filter((row) => row['invoice_id'] === id)
  return tables('invoices').flatMap((invoice) => {
    const [items, payments] = [of('invoice_items', invoice['id']), of('invoice_payments', invoice['id'])]
    const settled = paid.get(String(invoice['id']))
    const off = tables('tags').find((tag) => tag['object_id'] === invoice['id'] && tag['tag_definition_id'] === WRITTEN_OFF)
    const usage = items.filter((item) => item['type'] === 'USAGE')
    const isThousandths = invoice['currency'] === 'KWD' && invoice['status'] === 'COMMITTED' && invoice['migrated'] === false
    const left = sumOf(items) - sumOf(payments.filter((payment) => payment['status'] === 'SUCCESS'))
    const received = payments.some((payment) => payment['status'] === 'SUCCESS' && Number(payment['amount']) > 0)
    const traits: Readonly<Record<string, boolean>> = {
      paid: settled !== undefined,
      open: settled === undefined && invoice['status'] === 'COMMITTED' && invoice['migrated'] === false,
      draft: invoice['status'] === 'DRAFT',
      void: invoice['status'] === 'VOID',
      migrated: invoice['migrated'] === true,
      'drafted first':
        settled !== undefined && tables('invoice_history').some((row) => row['target_record_id'] === invoice['record_id']),
      'written off before': off !== undefined && settled === undefined && received,
      'written off after': off !== undefined && settled !== undefined,
      'written off at the payment': off?.['created_date'] === settled?.paid_at && settled !== undefined,
      'settled but for ten-thousandths, with three decimals': isThousandths && settled !== undefined && left > 0 && left < 0.0005,
      'open by thousandths, with three decimals': isThousandths && settled === undefined && left >= 0.0005 && left < 0.005,
      'paid by credit alone': settled?.amount.gt(0) === true && !received && items.some((item) => item['type'] === 'CBA_ADJ'),
      negative: settled?.amount.lt(0) === true,
      refunded: settled !== undefined && payments.some((payment) => Number(payment['amount']) < 0),
      'failed payment': payments.some((payment) => payment['status'] === 'INIT'),
      usage: settled !== undefined && usage.length > 0,
      'usage adjusted': settled !== undefined && items.some((item) => item['type'] === 'ITEM_ADJ'),
      'usage over months': settled !== undefined && usage.some((item) => monthsOf(item) > 1),
      'usage over more than a year': settled !== undefined && usage.some((item) => monthsOf(item) > 12),
      'usage without end': settled !== undefined && usage.some((item) => item['end_date'] === null),
    }
    return Object.keys(traits).filter((name) => traits[name])
  })
}

/** Whether subscriptions pay for months in their order; if not, how far the last late payment lies from the first one. */
export function orderOfPayments(charges: FoldedCustomer['usage_charges']): string[] {
  return [...groupBy(charges, (charge) => charge.subscription_id).values()].map((own) => {
    const paid = [...new Set(own.map((charge) => charge.paid_at))].sort()
    const months = (at: string) => own.filter((charge) => charge.paid_at === at).map((charge) => charge.service_month)
    const late = paid.filter((at) =>
      months(at).some((month) => own.some((other) => other.paid_at < at && other.service_month >= month)),
    )
    const reach = late.length === 0 ? 0 : paid.indexOf(late.at(-1) ?? '') + 1
    return reach === 0 ? 'in order' : reach > 7 ? 'out of order over more than six payments' : 'out of order'
  })
}

function sumOf(rows: readonly Row[]): number {
  return rows.reduce((sum, row) => sum + Number(row['amount']), 0)
}

function monthsOf({ start_date, end_date }: Row): number {
  if (end_date === null || end_date === undefined) return 1
  const [from, to] = [new Date(String(start_date)), new Date(String(end_date))]
  return 12 * (to.getUTCFullYear() - from.getUTCFullYear()) + to.getUTCMonth() - from.getUTCMonth()
}
