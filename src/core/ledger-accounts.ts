/** Names or codes of accounts in the books of the operator, by our account, or by `revenue.usage` and the like. */
export interface LedgerSettings {
  readonly accounts?: Readonly<Record<string, string>> | undefined
  /** Customer on lines of receivables that belong to no single customer. */
  readonly customer?: string | undefined
}

/** Accounts of the trial balance in their order (R21), with our names for them. */
export const ACCOUNT_NAMES = {
  accounts_receivable: 'Accounts receivable',
  unbilled_receivables: 'Unbilled receivables',
  cash: 'Cash',
  bad_debt: 'Bad debt',
  credits_granted: 'Credits granted',
  deferred_revenue: 'Deferred revenue',
  revenue: 'Revenue',
  other_income: 'Other income',
  tax_payable: 'Tax payable',
  customer_credits: 'Customer credits',
  suspense: 'Suspense',
  retained_earnings: 'Retained earnings',
  fx_difference: 'Exchange rate differences',
} as const

export type AccountName = keyof typeof ACCOUNT_NAMES

/** Accounts that postings change. The rest of a range, retained earnings, follows from them. */
export type PostedAccount = Exclude<AccountName, 'retained_earnings'>

/** These accounts in their order. */
export const POSTED_ACCOUNTS = (Object.keys(ACCOUNT_NAMES) as AccountName[]).filter(
  (account): account is PostedAccount => account !== 'retained_earnings',
)

/**
 * The name of an account in the books: that of the plan, else that of the kind of charge, else that of the account. Undefined if the settings
 * have none.
 */
export function nameInBooks(
  { accounts = {} }: LedgerSettings,
  account: AccountName,
  { charge_kind, plan }: { readonly charge_kind: string | null; readonly plan: string | null },
): string | undefined {
  const wanted = [plan, charge_kind].flatMap((part) => (part === null ? [] : [`${account}.${part}`]))
  return [...wanted, account].map((key) => accounts[key]).find((name) => name !== undefined)
}
