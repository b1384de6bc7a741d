import { empty } from '../compiler/fragment.ts'
import { type ContractRows, createRows, type RowCall } from '../connector-kit/rows.ts'
import { calendarOf } from '../core/calendar.ts'
import { AppError } from '../core/errors.ts'
import type { EngineDependencies } from '../execution/dependencies.ts'
import type { Pipeline } from '../execution/pipeline.ts'
import { type CapabilityOf, checkReads, inferredWarning } from '../execution/plan/capability.ts'
import { createContext, type RunContext } from '../execution/run.ts'
import { listUnpriced, refuseGaps } from '../metrics/readings/gaps.ts'
import { type QueryInputs, RANGE_INPUTS } from '../query/inputs.ts'
import { parseRequest, type QueryRequest } from '../query/request.ts'
import type { Timeframe } from '../query/timeframe.ts'

const POINT: QueryInputs = { ...RANGE_INPUTS, dates: 'point_or_range' }

const UNSLICED = { dimensions: empty, dimension_names: empty, joins: empty, filters: empty, group_by: empty }

/** The contract methods over an engine's database. Days, rates, prices and capabilities are checked as for any metric. */
export function createContractRows(deps: EngineDependencies, pipeline: Pipeline, capabilityOf: CapabilityOf): ContractRows {
  return createRows(async (call, options) => {
    const now = deps.clock.now()
    const { clockNow } = calendarOf(deps.definitions.time_zone, now)
    const { reads } = deps.catalog.query('rows', call.query, deps.executor.dialect.name).header
    checkReads(`the rows of ${call.method}`, reads, deps.connector.type, capabilityOf)
    const parsed = parseRequest(call.days, {}, 'at' in call.days ? POINT : RANGE_INPUTS, clockNow)
    const request = { ...parsed, unit: call.unit }
    const { value, meta } = await pipeline.read({ ...options, now, source: 'replica' }, async (context) => {
      for (const warning of [...request.warnings, ...inferredWarning(reads, [], capabilityOf)]) context.warn(warning)
      return readRows(call, request, context)
    })
    for (const warning of meta.warnings) options.warn?.(warning)
    return { ...value, base_currency: meta.base_currency }
  })
}

async function readRows(call: RowCall, request: QueryRequest, context: RunContext) {
  const { deps, session } = context
  const owner = createContext({ definition: { name: 'rows' }, request }, context)
  const { params, window } = boundsOf(request.time)
  const rows = await owner.run({ template: `rows/${call.query}`, slots: UNSLICED, params, window })
  const { max_rows } = deps.limits
  if (rows.length > max_rows) {
    const message = `${call.method} has ${rows.length} rows; the limit is ${max_rows}.`
    throw new AppError('result_too_large', message, { context: { limit: max_rows } })
  }
  await refuseGaps(owner, call.gaps(rows), () => listUnpriced(owner, window))
  return { rows, sources: session.connector.sources.map(({ source_id }) => source_id) }
}

// Invoices are selected by days in the account's time zone, not by instants.
function boundsOf(time: Timeframe) {
  if (time.kind === 'point') return { params: { before: time.before }, window: { from: time.before, to: time.before } }
  const { from, to, start, end } = time
  return { params: { start: from, end: to, first_day: start, last_day: end }, window: { from, to } }
}
