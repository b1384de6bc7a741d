import type { ListName } from '../../../engine/engine.ts'
import {
  acceptedByList,
  BILLING_INPUTS,
  inputsOfList,
  LISTS,
  type ListDefinition,
  type ListInputs,
  plainFilter,
  RENEWAL_INPUTS,
} from '../../../engine/shapes.ts'
import type { Operation } from '../../presentation/ask.ts'
import { PARAMETERS } from '../../presentation/parameters.ts'
import { argumentsOf, textArgument } from '../arguments.ts'
import { MOST_ROWS } from '../table-text.ts'
import { defineTool, type Tool, type ToolCall } from '../tool.ts'
import { answered, LISTING, listingText, shownAt } from './answered.ts'

const DESCRIPTIONS: Readonly<Record<ListName, string>> = {
  customers: 'Current customers with status and MRR, newest first.',
  subscriptions: 'Current subscriptions, most recently started first.',
  invoices: 'Current invoices with their open balance, newest first.',
}

const PAGE = 20

/** The lists of the billing engine's records, and one customer. */
export function recordTools(): readonly Tool[] {
  return [...Object.values(LISTS).map(listTool), RENEWALS_TOOL, BILLINGS_TOOL, CUSTOMER_TOOL]
}

function listTool(list: ListDefinition): Tool {
  const { name } = list
  const orders = Object.keys(list.order).join(', ')
  return defineTool({
    name: `list_${name}`,
    title: `List ${name}`,
    description: `${DESCRIPTIONS[name]} Returns ${PAGE} rows by default, at most ${MOST_ROWS} (\`limit\`). Fields of \`order\`: ${orders}.`,
    own: {},
    parameters: argumentsOfList(inputsOfList(list)),
    run: async (call) => {
      call.options.disclosing?.([name])
      return answered(paged(call), (params, spec, options) => call.engine.list(name, params, spec, options), name)
    },
  })
}

/** The arguments of a tool that lists records: a plain argument for each field, and the parameters. */
export function argumentsOfList(inputs: ListInputs) {
  const plain = inputs.fields.map((field) => plainFilter(field, field.key === 'status' ? inputs.statuses : field.known))
  const others = acceptedByList(inputs).filter((parameter) => parameter !== 'filter')
  return argumentsOf([...plain, ...others.map((parameter) => PARAMETERS[parameter])])
}

const RENEWALS_TOOL = defineTool({
  name: 'list_renewals',
  title: 'List renewals to come',
  description: `Subscriptions whose billed period or fixed term ends on days to come and that go on, with the number and MRR of each month. Returns ${PAGE} rows by default, at most ${MOST_ROWS} (\`limit\`).`,
  own: {},
  parameters: argumentsOfList(RENEWAL_INPUTS),
  run: async (call) => {
    call.options.disclosing?.(['subscriptions'])
    return answered(paged(call), call.engine.renewals, 'renewals')
  },
})

const BILLINGS_TOOL = defineTool({
  name: 'forecast_billings',
  title: 'List charges to come',
  description: `The charges that the billing engine will make of what its database states now, with the sums of each month, currency and kind (\`recurring\`, \`fixed\`, \`usage\`, \`repair\`). Usage is an estimate; payments are not foretold. Returns ${PAGE} rows by default, at most ${MOST_ROWS} (\`limit\`).`,
  own: {},
  parameters: argumentsOfList(BILLING_INPUTS),
  run: async (call) => {
    call.options.disclosing?.(['subscriptions'])
    return answered(paged(call), call.engine.billings, 'billings')
  },
})

// A larger limit is cut to the rows shown. The engine validates values that are no numbers.
function paged<Own>(call: ToolCall<Own>): ToolCall<Own> {
  const { limit = PAGE } = call.request.params
  const params = { ...call.request.params, limit: Number(limit) > MOST_ROWS ? MOST_ROWS : limit }
  return { ...call, request: { ...call.request, params } }
}

const CUSTOMER_TOOL = defineTool({
  name: 'get_customer',
  title: 'Get a customer',
  description: 'A current customer with its subscriptions and attributes.',
  own: { id: textArgument('id').describe('Account id, or the external key') },
  parameters: argumentsOf([PARAMETERS.source_id]),
  run: async (call) => {
    const { id } = call.own
    call.options.disclosing?.(['customers'])
    const operation: Operation = (params, spec, options) => call.engine.customer(id, params, spec, options)
    const text = await answered(call, operation, 'customer', `customer ${id}`)
    return call.page === undefined ? text : `${text}\n${shownAt(`${call.page}/customers/${encodeURIComponent(id)}`)}`
  },
})

/** The saved segments. */
export const SEGMENTS_TOOL = defineTool({
  name: 'list_segments',
  title: 'List segments',
  description:
    'Saved groups of customers, most recently changed first. Use their names or ids in `segment` and `compare_segments`.',
  own: LISTING,
  parameters: [],
  run: async ({ own, engine, options }) => {
    const rows = (await engine.segments.list()).map((segment) => ({ ...segment, warnings: segment.warnings.join(' ') || null }))
    // Descriptions are free text, and conditions may name customers.
    return listingText(
      ['name', 'id', ...(options.numbersOnly === true ? [] : ['description', 'definition', 'warnings'])],
      rows,
      own,
    )
  },
})
