import { FINDING_INPUTS, HEALTH_INPUTS, NOTICE_INPUTS } from '../../../engine/shapes.ts'
import type { Operation } from '../../presentation/ask.ts'
import { MOST_ROWS } from '../table-text.ts'
import { defineTool, type ToolCall } from '../tool.ts'
import { answered, listAnswered, WITH_IDS } from './answered.ts'
import { argumentsOfList } from './records.ts'

const PAGE = 10

/** Agreed amounts compared with billed amounts: the sums, and the largest findings. */
export const BILLING_TOOLS = [
  defineTool({
    name: 'billing_health',
    title: 'Compare agreed with billed amounts',
    description:
      'What customers agreed to, compared with what the billing engine charged, by class of the difference. Findings that a person has marked as no error are only in `marked`. The default range is the last 90 days up to yesterday.',
    own: {},
    parameters: argumentsOfList(HEALTH_INPUTS),
    run: async (call) => {
      // Sums of money that is owed are for callers with the scope `read`. The engine says whether they are those of single customers.
      if (call.options.numbersOnly === true) call.options.disclosing?.(['customers'])
      return answered(call, call.engine.billingHealth, 'billing health')
    },
  }),
  defineTool({
    name: 'list_billing_findings',
    title: 'List subscriptions billed otherwise than agreed',
    description: `One row for each subscription and class, the largest amount of a month first. \`mark\` is the mark of a person. Returns ${PAGE} rows by default, at most ${MOST_ROWS} (\`limit\`).`,
    own: WITH_IDS,
    parameters: argumentsOfList(FINDING_INPUTS),
    run: async (call) => pageAnswered(call, call.engine.billingFindings, 'billing findings'),
  }),
  defineTool({
    name: 'list_billing_notices',
    title: 'List what else about billing needs a look',
    description: `Add-ons without entitlement, customers at risk, silent accounts, missing prices, usage and invoices that nobody collects, and prices below the list. \`mark\` is the mark of a person. Returns the sums of each list, and $PAGErows by default, at most $MOST_ROWS(\`limit\`).`,
    own: WITH_IDS,
    parameters: argumentsOfList(NOTICE_INPUTS),
    run: async (call) => pageAnswered(call, call.engine.billingNotices, 'billing notices'),
  }),
]

/** A page of rows that show customers, with few rows unless the call asks for more. */
function pageAnswered(
  call: ToolCall<{ readonly ids?: boolean | undefined }>,
  operation: Operation,
  what: string,
): Promise<string> {
  call.options.disclosing?.(['customers'])
  const { limit = PAGE } = call.request.params
  const params = { ...call.request.params, limit: Number(limit) > MOST_ROWS ? MOST_ROWS : limit }
  return listAnswered({ ...call, request: { ...call.request, params } }, operation, what)
}
