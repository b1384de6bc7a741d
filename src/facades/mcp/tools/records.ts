import { AppError } from '../../../core/errors.ts'
import { isObject } from '../../../core/json.ts'
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
import { MOST_ROWS, tableText } from '../table-text.ts'
import { defineTool, type Tool, type ToolCall } from '../tool.ts'
import { answered, LISTING, listAnswered, listingText, shownAt, WITH_IDS } from './answered.ts'

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
    own: WITH_IDS,
    parameters: argumentsOfList(inputsOfList(list)),
    run: async (call) => {
      call.options.disclosing?.([name])
      return listAnswered(paged(call), (params, spec, options) => call.engine.list(name, params, spec, options), name)
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
  description: `Subscriptions whose billed period or fixed term ends on days to come and that go on: a row for each renewal, with the number and MRR of each month. \`term: contract\` leaves out monthly plans. Returns ${PAGE} rows by default, at most ${MOST_ROWS} (\`limit\`).`,
  own: WITH_IDS,
  parameters: argumentsOfList(RENEWAL_INPUTS),
  run: async (call) => {
    call.options.disclosing?.(['subscriptions'])
    return listAnswered(paged(call), call.engine.renewals, 'renewals')
  },
})

const BILLINGS_TOOL = defineTool({
  name: 'forecast_billings',
  title: 'List charges to come',
  description: `The charges that the billing engine will make of what its database states now, with the sums of each month, currency and kind (\`recurring\`, \`fixed\`, \`usage\`, \`repair\`). Usage is an estimate; payments are not foretold. Returns ${PAGE} rows by default, at most ${MOST_ROWS} (\`limit\`).`,
  own: WITH_IDS,
  parameters: argumentsOfList(BILLING_INPUTS),
  run: async (call) => {
    call.options.disclosing?.(['subscriptions'])
    return listAnswered(paged(call), call.engine.billings, 'billings')
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
  description: 'A current customer with its subscriptions and attributes, by name or id.',
  own: { id: textArgument('id').describe('Name of the customer or a part of it, account id, or external key') },
  parameters: argumentsOf([PARAMETERS.source_id]),
  run: async (call) => {
    const { id } = call.own
    call.options.disclosing?.(['customers'])
    try {
      return await customerText(call, id)
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'not_found') throw error
      const found = await customersNamed(call, id)
      if (found.length === 0) throw error
      const [first] = found
      if (found.length > 1)
        return `${SEVERAL}\n${tableText(['name', 'id', 'external_key', 'status', 'country'], found.slice(0, MOST_NAMED))}`
      return customerText(call, String(first?.['id']))
    }
  },
})

/** Most customers that an answer shows for a part of a name. */
const MOST_NAMED = 10

/** Most customers with a text in their name among which one may have exactly this name. */
const MOST_SEARCHED = 1_000

const SEVERAL = `Several customers have this in their name; call again with the id of one. At most ${MOST_NAMED} are shown.`

async function customerText(call: ToolCall<unknown>, id: string): Promise<string> {
  const operation: Operation = (params, spec, options) => call.engine.customer(id, params, spec, options)
  const text = await answered(call, operation, 'customer', `customer ${id}`)
  return call.page === undefined ? text : `${text}\n${shownAt(`${call.page}/customers/${encodeURIComponent(id)}`)}`
}

/** The customers with this name, else those with this text in their name. None if the text cannot be searched for. */
async function customersNamed({ engine, request, options }: ToolCall<unknown>, name: string) {
  const { source_id } = request.params
  const params = { search: name, limit: MOST_SEARCHED, ...(source_id !== undefined && { source_id }) }
  const { data } = await engine.list('customers', params, {}, options).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'invalid_value') return { data: undefined }
    throw error
  })
  const rows: readonly Readonly<Record<string, unknown>>[] =
    isObject(data) && Array.isArray(data['rows']) ? data['rows'].filter(isObject) : []
  const named = rows.filter((row) => String(row['name']).toLowerCase() === name.trim().toLowerCase())
  return named.length > 0 ? named : rows.filter((row) => String(row['name']).toLowerCase().includes(name.trim().toLowerCase()))
}

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
