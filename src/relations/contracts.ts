import { agreedStretch, billedStretch, billingCondition, billingEvidence, customerZone } from './billing.ts'
import {
  changeInstant,
  cohort,
  customer,
  customerActivity,
  customerAttribute,
  customerField,
  customerLink,
  customerState,
} from './customers.ts'
import type { RelationContract } from './define-relation.ts'
import {
  billedInvoice,
  invoice,
  invoiceState,
  invoiceSubscription,
  netPaidAmount,
  paidAmount,
  refund,
  usageCharge,
} from './invoices.ts'
import { periodLedger, startCohort } from './ledgers.ts'
import { movement, mrrMovement, mrrSpan, pricedState, subscriptionFact, subscriptionSpan } from './spans.ts'
import { bundleLine, cancellation, plan, subscription, subscriptionLife, subscriptionState, trial } from './subscriptions.ts'

/** All canonical relations: those that a connector supplies and those derived from them. */
export const RELATION_CONTRACTS: readonly RelationContract[] = Object.freeze([
  subscriptionSpan,
  mrrSpan,
  movement,
  mrrMovement,
  customer,
  subscription,
  plan,
  cohort,
  cancellation,
  customerActivity,
  periodLedger,
  startCohort,
  invoice,
  refund,
  paidAmount,
  netPaidAmount,
  trial,
  usageCharge,
  subscriptionFact,
  pricedState,
  subscriptionLife,
  subscriptionState,
  customerState,
  invoiceState,
  customerField,
  customerAttribute,
  billedInvoice,
  invoiceSubscription,
  bundleLine,
  customerLink,
  changeInstant,
  customerZone,
  billedStretch,
  billingCondition,
  agreedStretch,
  billingEvidence,
])
