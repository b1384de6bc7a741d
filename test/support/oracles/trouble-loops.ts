import type { Collected } from './collection-loops.ts'
import { localDay } from './local-days.ts'

type Cells = Readonly<Record<string, string | number | boolean | null | undefined>>

const CLEAR = '__KILLBILL__CLEAR__OVERDUE_STATE__'

/**
 * Why an account did not pay at an instant, in loops over the stored rows (R28). It was in an overdue state, or an invoice was past due and the
 * last attempt to collect it had failed. Invoices are due at once.
 */
export function troubleAt(
  rows: (table: string) => readonly Cells[],
  invoices: readonly Collected[],
  account_id: string,
  at: string,
): 'overdue' | 'failed_payment' | null {
  const account = rows('accounts').find((one) => one['id'] === account_id)
  if (account === undefined) throw new Error(`no account ${account_id}`)
  const states = rows('blocking_states')
    .filter((state) => state['account_record_id'] === account['record_id'] && state['service'] === 'overdue-service')
    .filter((state) => state['type'] === 'ACCOUNT' && state['is_active'] === true && String(state['effective_date']) <= at)
  const last = states.toSorted((a, b) => String(a['effective_date']).localeCompare(String(b['effective_date']))).at(-1)
  if (last !== undefined && last['state'] !== CLEAR) return 'overdue'
  const today = localDay(account, at)
  const isTroubled = invoices.some(({ account: owner, issued_on, attempts, days }) => {
    if (owner['id'] !== account_id || issued_on >= today) return false
    const tried = attempts.filter((attempt) => attempt.at <= at).at(-1)
    const before = days.filter(({ on }) => on < today).at(-1)
    return tried?.failed === true && before !== undefined && before.open > 0
  })
  return isTroubled ? 'failed_payment' : null
}
