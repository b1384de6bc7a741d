import { PARAMETERS } from '../../presentation/parameters.ts'
import { argumentsOf } from '../arguments.ts'
import { tableText } from '../table-text.ts'
import { defineTool } from '../tool.ts'

/** Checks of the user's own data. */
export const VERIFY_TOOL = defineTool({
  name: 'verify',
  title: 'Verify the data',
  description:
    'Check the figures of the data against each other: identities, missing rates and prices, history tables and the cache. Default: the last 365 days. It may take two minutes.',
  own: {},
  parameters: argumentsOf([PARAMETERS.start, PARAMETERS.end]),
  run: async ({ engine, options, request }) => {
    options.disclosing?.(['customers'])
    const { ok, is_complete, start, end, checks } = await engine.verification.run(request.params, options)
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
