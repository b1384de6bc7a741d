import type { Row } from '../../../src/connector-kit/connector.ts'
import type { Evidence } from '../../../src/connector-kit/evidence.ts'
import { instantCell, sql, text, textList } from '../../../src/connector-kit/query-runner.ts'
import { amountOf, type Place, placeOf, tenantsOf } from './records.ts'

/** Attempts to collect invoices that did not succeed (KB 8.4). */
export async function readFailures(place: Place, invoices: readonly string[]): Promise<readonly Row[]> {
  if (invoices.length === 0) return []
  return place.run(
    'killbill.evidence.attempts',
    sql`select distinct attempt.record_id, paid.invoice_id, attempt.effective_date, attempt.transaction_status, attempt.gateway_error_code,
        attempt.amount, paid.currency
      from invoice_payments as paid
      join payment_transactions as attempt on attempt.payment_id = paid.payment_id
      where paid.tenant_record_id in (${tenantsOf(place)}) and attempt.tenant_record_id in (${tenantsOf(place)})
        and paid.type = 'ATTEMPT' and attempt.transaction_type = 'PURCHASE' and attempt.transaction_status <> 'SUCCESS'
        and paid.invoice_id in (${textList(invoices)})
      order by attempt.effective_date, attempt.record_id`,
  )
}

/** A row of payment_transactions that is no success. */
export function failureNote(row: Row): Evidence {
  const occurred_at = instantCell(row, 'effective_date')
  const code = row['gateway_error_code']
  const status = [row['transaction_status'], ...(code === null || code === '' ? [] : [code])].map(text).join(', ')
  const note = `attempt to collect ${amountOf(row['amount'])} ${text(row['currency'])} on ${occurred_at?.slice(0, 10)}: ${status}`
  return { ...placeOf('payment_transactions', row), occurred_at, note }
}
