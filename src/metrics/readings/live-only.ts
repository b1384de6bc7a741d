import { audienceReadsBase } from '../../query/audience.ts'
import type { QueryRequest } from '../../query/request.ts'

/**
 * Parameters of a statement that asks who is live and reads no amounts: the usage component changes no state (D22, D29), and
 * without it the paid invoices need not be read, which is half the work. A segment by MRR does read amounts.
 */
export function liveOnly({ audience }: Pick<QueryRequest, 'audience'>): { readonly usage_in_mrr?: false } {
  return audienceReadsBase(audience) ? {} : { usage_in_mrr: false }
}
