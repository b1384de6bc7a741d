/** The meaning of a list of notices for an operator (H6). */
interface KindFacts {
  readonly description: string
  readonly remedy: string
}

/** A dry run changes nothing, also if the notice is wrong. */
const DRY_RUN =
  'Look at a dry run of the invoice up to today, and at errors of the invoice run. Invoice the account only if nobody else bills it.'

/** The lists of notices, in the order of the answer. Each remedy does no harm if the notice is wrong: it looks before it charges or ends. */
export const NOTICE_FACTS = {
  addon_without_entitlement: {
    description: 'Add-ons without entitlement that are billed without an end.',
    remedy:
      'Ask whether the customer still has the add-on. If not, cancel its billing in the engine. Otherwise give its entitlement back.',
  },
  mrr_at_risk: {
    description: 'Customers in MRR that are overdue, or with an invoice unpaid for more than 30 days.',
    remedy: 'Record payments that the engine does not know. Then collect the open invoices, or pause the subscriptions.',
  },
  silent_account: {
    description: 'Customers in MRR without a new invoice for more than a billing period.',
    remedy: DRY_RUN,
  },
  without_price: {
    description: 'Active subscriptions whose price is unknown.',
    remedy:
      'Compare the plan in the catalog with what the engine charges. Add the price in the currency of the account, or mend what cannot be read.',
  },
  usage_not_invoiced: {
    description: 'Subscriptions with usage of the last year that no invoice has after 62 days.',
    remedy: `Compare the usage with the usage sections of the plan. ${DRY_RUN}`,
  },
  never_attempted: {
    description: 'Open invoices without any attempt of payment.',
    remedy:
      'Record the payment if the customer has paid elsewhere. Otherwise add a payment method, or switch automatic payment on.',
  },
  child_not_on_parent: {
    description: 'Open invoices of children that match no invoice of their paying parent, or one that is a draft for days.',
    remedy:
      'Commit the draft of the parent, if it is one. Otherwise compare the invoices of the child with the items of the parent before anybody is charged: the engine adds invoices of one day in one item.',
  },
  child_credit_on_parent: {
    description:
      'Invoices of children that an invoice of their parent asks for, and for which credit of the child was used later.',
    remedy:
      'Look whether the parent has been compensated. If not, adjust the item of the child on the invoice of the parent, at most by this amount.',
  },
  child_void_on_parent: {
    description: 'Void invoices of children that an invoice of their parent still asks for.',
    remedy:
      'Look whether the parent owes it, or has been compensated. If neither, adjust the item of the child on the invoice of the parent, at most by this amount.',
  },
  below_list_price: {
    description: 'Active subscriptions below the list price of today. This is no error.',
    remedy: 'Nothing is wrong. Change the subscription to its plan if it shall take the price of today.',
  },
} as const satisfies Record<string, KindFacts>

export type NoticeKind = keyof typeof NOTICE_FACTS

/** Names of the lists. */
export const NOTICE_KINDS = Object.keys(NOTICE_FACTS) as readonly NoticeKind[]
