import type { AskOptions } from '../../../engine/engine.ts'
import type { RequestContext } from '../environment.ts'
import { scopeMissing } from './guard.ts'

/** Engine options of a request: they end the query when the client leaves, and refuse customer data without the scope `read`. */
export function askOptions(context: RequestContext): AskOptions {
  return {
    numbersOnly: !seesCustomers(context),
    signal: context.req.raw.signal,
    large: context.get('large'),
    disclosing(names) {
      context.set('discloses', names.length > 0)
      if (names.length === 0 || seesCustomers(context)) return
      const [first = ''] = names
      const detail = `"${first}" shows or singles out customers or vendors. This needs a credential with the scope read.`
      throw scopeMissing('read', detail, { fields: names })
    },
  }
}

/** True if the caller may see customer data and free text, not only totals. */
export function seesCustomers(context: RequestContext): boolean {
  return context.get('principal').scopes.includes('read')
}
