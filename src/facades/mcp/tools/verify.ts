import { plainFilter, TIME_LIMIT, VERIFY_CHECKS } from '../../../engine/shapes.ts'
import { askOperation } from '../../presentation/ask.ts'
import { PARAMETERS, type ParameterDefinition } from '../../presentation/parameters.ts'
import { argumentsOf } from '../arguments.ts'
import { tableText } from '../table-text.ts'
import { defineTool } from '../tool.ts'

const CHECK: ParameterDefinition = {
  ...plainFilter({ key: 'check', description: '' }, VERIFY_CHECKS),
  description: 'Only these checks. Default: all.',
}

const TIME: ParameterDefinition = {
  name: 'time_limit_s',
  type: TIME_LIMIT,
  wire: 'once',
  places: ['params.time_limit_s'],
  known_to: 'records',
  option: undefined,
  description: 'Seconds for all checks together. Default: 120. Parts for which they are too short are not checked.',
}

/** Checks of the user's own data. */
export const VERIFY_TOOL = defineTool({
  name: 'verify',
  title: 'Verify the data',
  description:
    'Check the figures of the data against each other: identities, missing rates and prices, history tables and the cache. Default: the last ' +
    '365 days. It may take two minutes, or `time_limit_s`. A check that is named alone gets all of the time.',
  own: {},
  parameters: argumentsOf([PARAMETERS.start, PARAMETERS.end, CHECK, TIME]),
  run: async ({ engine, options, request }) => {
    options.disclosing?.(['customers'])
    const report = await askOperation((params, _spec, given) => engine.verification.run(params, given), request, options)
    const { ok, is_complete, start, end, checks } = report
    const rows = checks.map(({ name, ok: holds, is_complete: isWhole, message, ids }) => ({
      check: name,
      result: holds === null ? 'not checked' : !holds ? 'failed' : isWhole ? 'ok' : 'ok in part',
      message,
      first: ids.join('; '),
    }))
    const summary = `${ok ? 'No check failed' : 'A check failed'}, ${start} to ${end}.${is_complete ? '' : ' Not all was checked.'}`
    return `${summary}\n${tableText(['check', 'result', 'message', 'first'], rows)}`
  },
})
