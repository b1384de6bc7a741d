import { billedInvoice } from './billed-invoice.ts'
import { bundleLine } from './bundle-line.ts'
import { cancellation } from './cancellation.ts'
import { cohort } from './cohort.ts'
import { customer } from './customer.ts'
import { customerActivity } from './customer-activity.ts'
import { customerAttribute } from './customer-attribute.ts'
import { customerState } from './customer-state.ts'
import type { RelationContract } from './define-relation.ts'
import { invoice } from './invoice.ts'
import { invoiceSubscription } from './invoice-subscription.ts'
import { mrrMovement } from './mrr-movement.ts'
import { mrrSpan } from './mrr-span.ts'
import { periodLedger } from './period-ledger.ts'
import { plan } from './plan.ts'
import { startCohort } from './start-cohort.ts'
import { subscription } from './subscription.ts'
import { subscriptionFact } from './subscription-fact.ts'
import { subscriptionLife } from './subscription-life.ts'
import { subscriptionState } from './subscription-state.ts'
import { trial } from './trial.ts'
import { usageCharge } from './usage-charge.ts'

/** Every canonical relation: what a connector supplies and what is derived from it. */
export const RELATION_CONTRACTS: readonly RelationContract[] = Object.freeze([
  mrrSpan,
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
  trial,
  usageCharge,
  subscriptionFact,
  subscriptionLife,
  subscriptionState,
  customerState,
  customerAttribute,
  billedInvoice,
  invoiceSubscription,
  bundleLine,
])
