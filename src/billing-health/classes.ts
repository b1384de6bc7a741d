/** Facts about a class of findings (H3). */
interface ClassFacts {
  /** Ends the sentence of a finding. `date` is the price date, in words. */
  readonly cause: string | ((date: string) => string)
  /** Advice for an operator of the billing engine. */
  readonly remedy: string
  readonly confidence: 'certain' | 'likely'
  /** Why the class is certain or only likely. */
  readonly reason: string
}

/** The classes of findings, the first that holds. */
export const CLASS_FACTS = {
  double_billed: {
    cause: 'Several items bill the same days.',
    remedy: 'Adjust or void the items that are too many, and invoice the account again.',
    confidence: 'certain',
    reason: 'The items are rows of the billing database.',
  },
  stuck_draft: {
    cause: 'The invoice is still a draft after the end of its period.',
    remedy: 'Commit the draft invoice.',
    confidence: 'certain',
    reason: 'The invoice is a draft in the billing database.',
  },
  invoicing_failed: {
    cause: 'An event of the account ends each of its invoice runs with an error.',
    remedy: 'Deactivate the event that the evidence names, and invoice the account again.',
    confidence: 'certain',
    reason: 'The account has a row on which the invoice run of the engine fails.',
  },
  account_parked: {
    cause: 'The engine has parked the account after an error in its items.',
    remedy: 'Repair the items of the account, unpark it, and invoice it again.',
    confidence: 'certain',
    reason: 'The account is marked as parked.',
  },
  invoicing_off: {
    cause: 'Invoicing is switched off for the account.',
    remedy: 'Switch invoicing on if the account shall be billed.',
    confidence: 'certain',
    reason: 'The account is marked so.',
  },
  transferred: {
    cause: 'The subscription was transferred, and the old side is still billed.',
    remedy: 'Credit the days to the old account. End the old side of later transfers at once.',
    confidence: 'certain',
    reason: 'The subscription ended by transfer before these days.',
  },
  quantity_reverted: {
    cause: (date) => `At ${date}, the engine went back to the quantity of the last plan or phase event.`,
    remedy: 'Set the agreed quantity once more, with an effective date after the price date.',
    confidence: 'certain',
    reason: 'The billed amount is the price for the quantity to which the engine goes back.',
  },
  price_change_lost: {
    cause: (date) => `The items have the price before ${date}, which applies to existing subscriptions.`,
    remedy: 'Change the subscription to the same plan, so that it takes the current price.',
    confidence: 'certain',
    reason: 'The billed amount is the agreed amount before the price date.',
  },
  not_billed: {
    cause: 'No item bills these days.',
    remedy: 'Invoice the account up to today, and look for errors of its invoice run.',
    confidence: 'likely',
    reason: 'No cause is known. Another system may bill the subscription.',
  },
  billed_after_end: {
    cause: 'The subscription is billed on days after its end.',
    remedy: 'Cancel the subscription in the engine, and credit these days.',
    confidence: 'likely',
    reason: 'No cause is known. The contract may bill beyond the end.',
  },
  price_differs: {
    cause: 'The quantity is as agreed, and the price is that of another catalog version.',
    remedy: 'Compare the two catalog versions. Change the subscription to the plan with the right price.',
    confidence: 'certain',
    reason: 'The item names the catalog version of its price.',
  },
  quantity_differs: {
    cause: 'Another quantity is billed than agreed.',
    remedy: 'Set the agreed quantity once more.',
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

/** Classes of days without a finding. */
export const QUIET = ['healthy', 'unpriced', 'not_due'] as const
