import type { ListName } from '../../../engine/engine.ts'
import { acceptedByList, inputsOfList, LISTS, type ListDefinition, plainFilter } from '../../../engine/shapes.ts'
import type { Operation } from '../../presentation/ask.ts'
import { PARAMETERS } from '../../presentation/parameters.ts'
import { argumentsOf, textArgument } from '../arguments.ts'
import { MOST_ROWS } from '../table-text.ts'
import { defineTool, type Tool, type ToolCall } from '../tool.ts'
import { answered, LISTING, listingText, shownAt } from './answered.ts'

const DESCRIPTIONS: Readonly<Record<ListName, string>> = {
  customers: 'Customers as they are now, newest first, with status and MRR.',
  subscriptions: 'Subscriptions as they are now, newest begin first.',
  invoices: 'Invoices as they are now, newest first, with what is still open.',
}

const PAGE = 20

/** The lists of the billing engine's records, and one customer. */
export function recordTools(): readonly Tool[] {
  return [...Object.values(LISTS).map(listTool), CUSTOMER_TOOL]
}

function listTool(list: ListDefinition): Tool {
  const { name } = list
  const plain = list.fields.map((field) => plainFilter(field, field.key === 'status' ? list.statuses : []))
  const others = acceptedByList(inputsOfList(list)).filter((parameter) => parameter !== 'filter')
  const orders = Object.keys(list.order).join(', ')
  return defineTool({
    name: `list_${name}`,
    title: `List ${name}`,
    description: `${DESCRIPTIONS[name]} ${PAGE} rows unless \`limit\` says otherwise, at most ${MOST_ROWS}. \`order\` takes ${orders}.`,
    own: {},
    parameters: argumentsOf([...plain, ...others.map((parameter) => PARAMETERS[parameter])]),
    run: async (call) => {
      call.options.disclosing?.([name])
      return answered(paged(call), (params, spec, options) => call.engine.list(name, params, spec, options), name)
    },
  })
}

// More than is shown is not asked for; what is no number is judged by the engine.
function paged<Own>(call: ToolCall<Own>): ToolCall<Own> {
  const { limit = PAGE } = call.request.params
  const params = { ...call.request.params, limit: Number(limit) > MOST_ROWS ? MOST_ROWS : limit }
  return { ...call, request: { ...call.request, params } }
}

const CUSTOMER_TOOL = defineTool({
  name: 'get_customer',
  title: 'One customer',
  description: 'One customer as it is now, with its subscriptions and attributes.',
  own: { id: textArgument('id').describe('Id of the account, else its external key') },
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
  description: 'The saved groups of customers, the last changed first. `segment` and `compare_segments` take their names or ids.',
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
