import { AppError } from '../../../core/errors.ts'
import type { Check } from '../check.ts'

/** The billing engine's history tables agree with its current rows. */
export const historyAgrees: Check = {
  name: 'history_agrees',
  description: 'The newest row of each history table of the billing engine has the values of the current row.',
  identities: [],
  unit: 'rows',
  async run({ facts }) {
    if (facts.history === undefined)
      throw new AppError('unsupported_by_connector', 'The connector cannot compare the history of the billing engine.')
    return facts.history()
  },
}
