import type { AskOptions } from '../../../engine/engine.ts'
import type { RequestContext } from '../environment.ts'
import { scopeMissing } from './guard.ts'

/** How a question of this request is asked: until whoever asks leaves, and for those who see numbers only without what shows customers. */
export function askOptions(context: RequestContext): AskOptions {
  return {
    numbersOnly: !seesCustomers(context),
    signal: context.req.raw.signal,
    large: context.get('large'),
    disclosing(names) {
      context.set('discloses', names.length > 0)
      if (names.length === 0 || seesCustomers(context)) return
      const [first = ''] = names
      const detail = `"${first}" shows or singles out customers or vendors, which needs a credential with the scope read; this one sees numbers.`
      throw scopeMissing('read', detail, { fields: names })
    },
  }
}

/** Whether the caller may see customers and what people wrote, and not numbers only. */
export function seesCustomers(context: RequestContext): boolean {
  return context.get('principal').scopes.includes('read')
}
