import type { AskedSets } from '../core/definition-sets/sets.ts'
import type { EngineDependencies } from '../execution/dependencies.ts'
import type { Pipeline } from '../execution/pipeline.ts'
import { type CapabilityOf, checkReads } from '../execution/plan/capability.ts'
import { customerQuestion, invoiceAgesQuestion } from '../records/answer.ts'
import { findingsQuestion, HEALTH_READS, healthQuestion } from '../records/billing-health/answer.ts'
import { NOTICE_READS, noticesQuestion } from '../records/billing-health/notices/answer.ts'
import { BILLING_READS, billingsQuestion } from '../records/billings/answer.ts'
import { CUSTOMERS } from '../records/customers.ts'
import { INVOICES } from '../records/invoices.ts'
import { ledgerListNamed } from '../records/ledger/lists.ts'
import { RENEWAL_READS, renewalsQuestion } from '../records/renewals/answer.ts'
import { SUBSCRIPTIONS } from '../records/subscriptions.ts'
import type { Engine } from './contract.ts'
import { REPLICA, sourceFor } from './source-for.ts'

/** The parts of an engine that answer questions about records. */
interface Parts extends Pick<EngineDependencies, 'connector' | 'cache'> {
  readonly pipeline: Pipeline
  readonly sets: AskedSets
  readonly capabilityOf: CapabilityOf
}

/** The calls of an engine that answer records other than the three lists. */
export function recordCalls({
  pipeline,
  sets,
  connector,
  cache,
  capabilityOf,
}: Parts): Pick<
  Engine,
  'invoiceAges' | 'billingHealth' | 'billingFindings' | 'billingNotices' | 'renewals' | 'billings' | 'ledgerList' | 'customer'
> {
  return {
    async invoiceAges(params = {}, spec = {}, options = {}) {
      checkReads('open invoices', INVOICES.reads, connector.type, capabilityOf)
      return pipeline.answer(invoiceAgesQuestion(params, spec), { ...options, ...REPLICA })
    },

    async billingHealth(params = {}, spec = {}, options = {}) {
      checkReads('billing health', HEALTH_READS, connector.type, capabilityOf)
      return pipeline.answer(healthQuestion(params, spec, sets.names, options.disclosing), options)
    },

    async billingFindings(params = {}, spec = {}, options = {}) {
      checkReads('billing health', HEALTH_READS, connector.type, capabilityOf)
      return pipeline.answer(findingsQuestion(params, spec, sets.names), options)
    },

    async billingNotices(params = {}, spec = {}, options = {}) {
      checkReads('notices of billing health', NOTICE_READS, connector.type, capabilityOf)
      return pipeline.answer(noticesQuestion(params, spec, sets.names), { ...options, ...REPLICA })
    },

    async renewals(params = {}, spec = {}, options = {}) {
      checkReads('renewals', RENEWAL_READS, connector.type, capabilityOf)
      return pipeline.answer(renewalsQuestion(params, spec, sets.names, capabilityOf('billing_term') !== 'absent'), {
        ...options,
        ...REPLICA,
      })
    },

    async billings(params = {}, spec = {}, options = {}) {
      checkReads('charges to come', BILLING_READS, connector.type, capabilityOf)
      return pipeline.answer(billingsQuestion(params, spec, sets.names), { ...options, ...REPLICA })
    },

    async ledgerList(name, params = {}, spec = {}, options = {}) {
      const list = ledgerListNamed(name)
      checkReads(list.title, list.reads, connector.type, capabilityOf)
      return pipeline.answer(list.question(params, spec, sets, options.disclosing), {
        ...options,
        ...sourceFor(list.reads, cache),
      })
    },

    async customer(id, params = {}, spec = {}, options = {}) {
      checkReads('customers', [...CUSTOMERS.reads, ...SUBSCRIPTIONS.reads], connector.type, capabilityOf)
      const question = customerQuestion(id, params, spec, sets.names)
      const found = await pipeline.answer(question, options)
      return found.data === null ? pipeline.answer(question, { ...options, ...REPLICA }) : found
    },
  }
}
