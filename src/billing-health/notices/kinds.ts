/** The meaning of a list of notices for an operator (H6). */
interface KindFacts {
  readonly description: string
  readonly remedy: string
}

/** The lists of notices, in the order of the answer. */
export const NOTICE_FACTS = {
  addon_without_entitlement: {
    description: 'Add-ons without entitlement that are billed without an end.',
    remedy: 'Cancel the billing of the add-on in the engine, or give its entitlement back.',
  },
  mrr_at_risk: {
    description: 'Customers in MRR that are overdue, or with an invoice unpaid for more than 30 days.',
    remedy: 'Collect the open invoices, or pause the subscriptions.',
  },
  silent_account: {
    description: 'Customers in MRR without a new invoice for more than a billing period.',
    remedy: 'Invoice the account up to today, and look for errors of its invoice run.',
  },
  without_price: {
    description: 'Active subscriptions whose price is unknown.',
    remedy: 'Add the price in the currency of the account to the catalog.',
  },
  usage_not_invoiced: {
    description: 'Subscriptions with usage of the last year that no invoice has after 62 days.',
    remedy: 'Invoice the account up to today. Compare the usage with the usage sections of the plan.',
  },
  never_attempted: {
    description: 'Open invoices without any attempt of payment.',
    remedy: 'Add a payment method, switch automatic payment on, or record the payment.',
  },
  child_not_on_parent: {
    description: 'Open invoices of children that the invoices of their paying parent lack.',
    remedy: 'Commit the draft of the parent, or invoice the parent again.',
  },
  below_list_price: {
    description: 'Active subscriptions below the list price of today. This is no error.',
    remedy: 'Nothing is wrong. Change the subscription to its plan if it shall take the price of today.',
  },
} as const satisfies Record<string, KindFacts>

export type NoticeKind = keyof typeof NOTICE_FACTS

/** Names of the lists. */
export const NOTICE_KINDS = Object.keys(NOTICE_FACTS) as readonly NoticeKind[]
