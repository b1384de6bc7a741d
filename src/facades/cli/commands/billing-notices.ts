import { isObject } from '../../../core/json.ts'
import { NOTICE_INPUTS } from '../../../engine/shapes.ts'
import type { Command } from '../command.ts'
import type { AnswerText } from '../output.ts'
import { optionsOfList, pageText, withSums } from './lists.ts'
import { answerQuestion } from './question.ts'

const LIST_COLUMNS = ['kind', 'count', 'amount_base_cents', 'monthly_base_cents']
const ROW_COLUMNS = ['kind', 'customer_name', 'plan_id', 'since', 'amount_base_cents', 'monthly_base_cents', 'sentence']

/** Everything that a person must look at, apart from the findings of billing health: the lists, then their rows. */
export const BILLING_NOTICES_COMMAND: Command = {
  name: 'billing-notices',
  description: 'List what else about billing needs a look, such as customers at risk',
  options: optionsOfList(NOTICE_INPUTS),
  examples: ['billing-notices', 'billing-notices --kind mrr_at_risk --format csv'],
  run: (invocation) =>
    answerQuestion(
      {
        operation: (engine) => engine.billingNotices,
        command: 'billing-notices',
        text: withSums('lists', LIST_COLUMNS, rowsText),
      },
      invocation,
    ),
}

// Links take a column only if there are any.
const rowsText: AnswerText = (answer, bold, width) => {
  const rows = isObject(answer.data) && Array.isArray(answer.data['rows']) ? answer.data['rows'] : []
  const isLinked = rows.some((row: unknown) => isObject(row) && row['admin_url'] !== null)
  return pageText(isLinked ? [...ROW_COLUMNS, 'admin_url'] : ROW_COLUMNS)(answer, bold, width)
}
