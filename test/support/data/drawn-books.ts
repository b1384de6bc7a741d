import type {
  AccountRecord,
  BillRecord,
  DeletedRecord,
  ExpenseLine,
  ExpenseRecord,
  ItemRecord,
  PurchaseRecord,
  VendorRecord,
} from '../../../src/core/expense.ts'
import { ACCOUNT_TYPES } from '../../../src/core/expense.ts'
import { dayOf } from '../../../src/core/periods.ts'
import { randomOf } from './histories/seeded-dice.ts'

/** The records of one source, in the order in which they arrive. */
export type Told = readonly (ExpenseRecord | DeletedRecord)[]

const AT = '2025-06-01T00:00:00.000Z'
const LATER = '2025-06-02T00:00:00.000Z'
const FIRST_DAY = Date.UTC(2024, 0, 1)
const DAY_MS = 86_400_000
/** Beyond the worked example's now, so that some documents have yet to come. */
const DAYS = 560
/** Rates whose products with cents lie at, just below and just above a half, and some of twelve places. */
const OWN_RATES = ['1.1', '0.5', '1.085', '0.499999999999', '1.000000000001', '163.25', '0.006127451']

/**
 * Books that depend on the seed alone. They have every account type and none, items, vendors known and unknown, credits, refunds, voids, and
 * deletions of both kinds. Currencies come with and without a rate of the document, and amounts from 0 to more than a double's product holds.
 */
export function drawnBooks(seed: number, documents: number): Told {
  const random = randomOf(seed)
  const below = (limit: number) => Math.floor(random() * limit)
  const oneOf = <T>(list: readonly T[]): T => list[below(list.length)] as T
  const kept = (external_id: string) => ({ external_id, updated_at: AT, is_deleted: false, metadata: {} })
  const accounts = ACCOUNT_TYPES.map(
    (account_type): AccountRecord => ({
      kind: 'account',
      ...kept(`a-${account_type}`),
      name: account_type,
      account_type,
      parent_external_id: null,
      is_active: true,
    }),
  )
  const untyped: AccountRecord = {
    ...accounts[0],
    kind: 'account',
    ...kept('a-none'),
    name: 'none',
    account_type: null,
    parent_external_id: null,
    is_active: true,
  }
  const items = ['i-cogs', 'i-none'].map(
    (id): ItemRecord => ({ kind: 'item', ...kept(id), name: id, account_external_id: id === 'i-cogs' ? 'a-cogs' : null }),
  )
  const vendors = ['v1', 'v2', 'v3'].map(
    (id): VendorRecord => ({ kind: 'vendor', ...kept(id), name: `Vendor ${id}`, is_active: true }),
  )
  const accountIds = [...accounts.map(({ external_id }) => external_id), 'a-none', 'a-later', null]

  const line = (index: number, sign: number): ExpenseLine => ({
    line_id: String(index),
    account_external_id: oneOf(accountIds),
    item_external_id: oneOf([null, null, 'i-cogs', 'i-none', 'i-later']),
    description: null,
    amount_cents: sign * oneOf([0, 1, 5, 1005, below(10_000), below(1_000_000), 500_000_001, 9_000_000_000_001]),
    dimensions: {
      ...(random() < 0.5 ? { class: oneOf(['A', 'a', 'B']) } : {}),
      ...(random() < 0.5 ? { department: oneOf(['North', 'South']) } : {}),
      ...(random() < 0.3 ? { project: 'Big %_ project' } : {}),
    },
    metadata: {},
  })
  const document = (id: string, sign: number) => {
    const home_currency = oneOf(['USD', 'USD', 'EUR', null])
    return {
      ...kept(id),
      is_deleted: random() < 0.05,
      number: null,
      vendor_external_id: oneOf(['v1', 'v2', 'v3', 'v-later', null]),
      document_date: dayOf(new Date(FIRST_DAY + below(DAYS) * DAY_MS)),
      currency: oneOf(['USD', 'USD', 'EUR', 'GBP', 'JPY']),
      home_currency,
      exchange_rate: home_currency === null ? null : oneOf([...OWN_RATES, null]),
      total_cents: 0,
      lines: Array.from({ length: below(5) }, (_, index) => line(index, sign)),
    }
  }
  const bills = Array.from({ length: documents }, (_, index): BillRecord => {
    const isCredit = random() < 0.2
    return {
      kind: 'bill',
      ...document(`b${index}`, isCredit ? -1 : 1),
      bill_kind: isCredit ? 'vendor_credit' : 'bill',
      status: oneOf(['open', 'partial', 'paid', 'voided', null]),
      due_date: null,
      balance_cents: 0,
    }
  })
  const purchases = Array.from(
    { length: documents },
    (_, index): PurchaseRecord => ({
      kind: 'expense',
      ...document(`e${index}`, random() < 0.2 ? -1 : 1),
      payment_type: oneOf(['cash', 'check', null]),
      is_voided: random() < 0.1,
    }),
  )
  const gone = bills.filter((_, index) => index % 17 === 0)
  const deletions = gone.map(({ kind, external_id }): DeletedRecord => ({ kind, external_id, updated_at: LATER }))
  return [...accounts, untyped, ...items, ...vendors, ...bills, ...purchases, ...deletions]
}
