import { acceptedByList, FINDING_INPUTS, HEALTH_INPUTS, type ListInputs, plainFilter } from '../../../engine/shapes.ts'
import { PARAMETERS } from '../../presentation/parameters.ts'
import { argumentsOf } from '../arguments.ts'
import { MOST_ROWS } from '../table-text.ts'
import { defineTool } from '../tool.ts'
import { answered } from './answered.ts'

const PAGE = 10

/** Agreed amounts compared with billed amounts: the sums, and the largest findings. */
export const BILLING_TOOLS = [
  defineTool({
    name: 'billing_health',
    title: 'Compare agreed with billed amounts',
    description:
      'What customers agreed to, compared with what the billing engine charged, by class of the difference. The default range is the last 90 days up to yesterday.',
    own: {},
    parameters: parametersOf(HEALTH_INPUTS),
    run: async (call) => {
      call.options.disclosing?.(['customers'])
      return answered(call, call.engine.billingHealth, 'billing health')
    },
  }),
  defineTool({
    name: 'list_billing_findings',
    title: 'List subscriptions billed otherwise than agreed',
    description: `One row for each subscription and class, the largest amount of a month first. Returns ${PAGE} rows by default, at most ${MOST_ROWS} (\`limit\`).`,
    own: {},
    parameters: parametersOf(FINDING_INPUTS),
    run: async (call) => {
      call.options.disclosing?.(['customers'])
      const { limit = PAGE } = call.request.params
      const params = { ...call.request.params, limit: Number(limit) > MOST_ROWS ? MOST_ROWS : limit }
      return answered({ ...call, request: { ...call.request, params } }, call.engine.billingFindings, 'billing findings')
    },
  }),
]

function parametersOf(inputs: ListInputs) {
  const plain = inputs.fields.map((field) => plainFilter(field, field.known))
  const others = acceptedByList(inputs).filter((parameter) => parameter !== 'filter')
  return argumentsOf([...plain, ...others.map((parameter) => PARAMETERS[parameter])])
}
