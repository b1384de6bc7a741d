/** Facts about a class of findings (H3). */
interface ClassFacts {
  /** Ends the sentence of a finding. `date` is the price date, in words. */
  readonly cause: string | ((date: string) => string)
  /** Advice for an operator of the billing engine. It does no harm if the finding is wrong: it looks before it charges, credits or ends. */
  readonly remedy: string
  readonly confidence: 'certain' | 'likely'
  /** Why the class is certain or only likely. */
  readonly reason: string
}

/** The classes of findings, the first that holds. */
export const CLASS_FACTS = {
  double_billed: {
    cause: 'Several items bill the same days.',
    remedy:
      'Compare the items with the contract, and adjust those that are too many. Do not void a whole invoice: the engine bills its other items again.',
    confidence: 'certain',
    reason: 'The items are rows of the billing database.',
  },
  stuck_draft: {
    cause: 'The invoice is still a draft after the end of its period.',
    remedy: 'Look at the draft. Commit it if nobody else has billed its days.',
    confidence: 'certain',
    reason: 'The invoice is a draft in the billing database.',
  },
  invoicing_failed: {
    cause: 'An event of the account ends each of its invoice runs with an error.',
    remedy:
      'Ask the maintainers of the engine how to deactivate the event that the evidence names. Then look at a dry run before you invoice the account.',
    confidence: 'certain',
    reason: 'The account has a row on which the invoice run of the engine fails.',
  },
  account_parked: {
    cause: 'The engine has parked the account after an error in its items.',
    remedy: 'Repair the items of the account, and unpark it. Then look at a dry run before you invoice it.',
    confidence: 'certain',
    reason: 'The account is marked as parked.',
  },
  overdue_block: {
    cause: 'The customer is overdue, and the engine has stopped its service. The days were billed in advance.',
    remedy: 'Collect the open invoices. The engine then goes on by itself. Nothing of the billing needs a change.',
    confidence: 'certain',
    reason: 'An overdue state that blocks billing covers the days.',
  },
  invoicing_off: {
    cause: 'Invoicing is switched off for the account.',
    remedy:
      'Ask why it is off. Switch invoicing on only if nobody else has billed these days: the engine then bills all days that are missing.',
    confidence: 'certain',
    reason: 'The account is marked so.',
  },
  transferred: {
    cause: 'The subscription was transferred, and the old side is still billed.',
    remedy:
      'If the new account is billed for the same days, credit them to the old one. End the old side of later transfers at once.',
    confidence: 'certain',
    reason: 'The subscription ended by transfer before these days.',
  },
  quantity_reverted: {
    cause: (date) => `At ${date}, the engine went back to the quantity of the last plan or phase event.`,
    remedy: 'Check the agreed quantity, and set it once more, with an effective date after the price date.',
    confidence: 'certain',
    reason: 'The billed amount is the price for the quantity to which the engine goes back.',
  },
  price_change_lost: {
    cause: (date) => `The items have the price before ${date}, which applies to existing subscriptions.`,
    remedy:
      'Compare the agreed price with that of today. If they are the same, change the subscription to its plan, which takes the price of today.',
    confidence: 'certain',
    reason: 'The billed amount is the agreed amount before the price date.',
  },
  not_billed: {
    cause: 'No item bills these days.',
    remedy:
      'Look at a dry run of the invoice up to today, and at errors of the invoice run. Invoice the account only if nobody else bills the subscription.',
    confidence: 'likely',
    reason: 'No cause is known. Another system may bill the subscription.',
  },
  billed_after_end: {
    cause: 'The subscription is billed on days after its end.',
    remedy: 'Ask whether the contract has ended. If it has, cancel the subscription in the engine, and credit these days.',
    confidence: 'likely',
    reason: 'No cause is known. The contract may bill beyond the end.',
  },
  price_differs: {
    cause: 'The quantity is as agreed, and the price is that of another catalog version.',
    remedy:
      'Compare the two catalog versions with the contract. Change the subscription to the plan with the right price, if it has another.',
    confidence: 'certain',
    reason: 'The item names the catalog version of its price.',
  },
  quantity_differs: {
    cause: 'Another quantity is billed than agreed.',
    remedy: 'Check the agreed quantity with the customer, and set it once more.',
    confidence: 'likely',
    reason: 'The quantity follows from the amount and the price of the catalog version.',
  },
  other: {
    cause: 'No known cause explains the difference.',
    remedy: 'Compare the items with the events of the subscription.',
    confidence: 'likely',
    reason: 'No cause is known.',
  },
} as const satisfies Record<string, ClassFacts>

export type FindingClass = keyof typeof CLASS_FACTS

/** Names of the classes. */
export const FINDING_CLASSES = Object.keys(CLASS_FACTS) as readonly FindingClass[]

/** A class in which nobody erred. It stays out of the sums of differences and has its own (H4). */
export const APART = 'overdue_block' satisfies FindingClass

/** Classes of days without a finding. */
export const QUIET = ['healthy', 'unpriced', 'not_due'] as const
