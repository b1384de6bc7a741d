import type { Issue } from '../../core/errors.ts'
import { atMost, collectIssues, throwIssues, withoutContext } from '../../query/issues.ts'
import { PARAMETERS, type ParameterDefinition } from '../../query/parameters.ts'
import { parameterAt, unknownField } from '../../query/places.ts'
import { isExplained, type Raw, readParameters } from '../../query/raw-parameters.ts'

export { needsRange } from '../../query/inputs.ts'
export { mustBe, mustBeOne, oneOf } from '../../query/issues.ts'
export { DAY, RANGE } from '../../query/parameter-types.ts'
export {
  ALL_PARAMETERS,
  PARAMETERS,
  type ParameterDefinition,
  type ParameterName,
  type ParameterOptionName,
  parameterNamed,
} from '../../query/parameters.ts'
export { parameterAt, QUERY_PARAMETERS, SPEC_FIELDS } from '../../query/places.ts'
export { daysOfRange, parseRange } from '../../query/ranges.ts'
export { STAGED_PARAMETERS } from '../../query/staged-parameters.ts'

/** Parameters of the rows behind a number: those of the query, and those that name the number in its answer. */
export const ROWS_PARAMETERS: readonly ParameterDefinition[] = [
  ...([
    'query_type',
    'type',
    'at',
    'start',
    'end',
    'range',
    'interval',
    'granularity',
    'dimensions',
    'filter',
    'segment',
    'definitions',
    'forecast',
  ] as const),
  ...([
    'compare_segments',
    'per_segment',
    'measure',
    'period',
    'movement_type',
    'cohort_month',
    'active_month',
    'recognized_month',
    'group',
  ] as const),
  ...(['limit', 'offset', 'format', 'money', 'explain'] as const),
].map((name) => PARAMETERS[name])

/** Descriptions of the parameters that name a step of a bridge, for the rows behind the step. */
export const STEP_TEXTS = {
  from: 'With `bridge_step`: definition set at which the bridge begins',
  to: 'With `bridge_step`: definition set at which the bridge ends',
  bridge_step: 'Option of a step of the bridge: only the rows that the step changes, which make its difference',
} as const

/** Parameters of a bridge without its definition sets. */
export const BRIDGE_PARAMETERS: readonly ParameterDefinition[] = (
  ['query_type', 'at', 'start', 'end', 'range', 'filter', 'segment', 'forecast', 'format', 'money', 'explain'] as const
).map((name) => PARAMETERS[name])

/** `where` of an issue in the words of a query string: `query.<name>`. */
export function whereInQuery(where: string): string {
  if (where === 'params') return 'query'
  const name = parameterAt(where)?.name ?? /^(?:params|spec)\.(.+)/.exec(where)?.[1]
  return name === undefined ? where : `query.${name}`
}

/** `where` of an issue in the words of a JSON body: `body.<path>`. */
export function whereInBody(where: string): string {
  return /^(params|spec)\b/.test(where) ? `body.${where}` : where
}

/** The issue of a request for an explanation in a format that has no place for it. */
export function explainedOnlyInJson(params: Raw, format: string): readonly Issue[] {
  if (!isExplained(params) || !TABLES.includes(format)) return []
  const message = `"explain" applies to JSON, not to ${format}: leave it out, or choose the format json.`
  return [{ code: 'invalid_value', where: 'params.explain', value: params['explain'], message, did_you_mean: [] }]
}

const TABLES = ['csv', 'xlsx']

/** Refuses every parameter of an operation that takes none. AppError `invalid_value` with every issue. */
export function refuseParameters(given: Raw): void {
  const { report, issues } = collectIssues()
  // Renamed here, because other issues of the request may be about its body.
  const reportInQuery: typeof report = (code, where, ...rest) => report(code, whereInQuery(where), ...rest)
  readParameters(given, { own: [], accepted: [], isPlain: true }, reportInQuery)
  throwIssues(issues)
}

/** Issues for unknown fields of a body. Only the first issues get similar names. */
export function unknownFields(parent: string, names: readonly string[], known: readonly string[]): readonly Issue[] {
  const { report, issues } = collectIssues()
  for (const name of atMost(names, parent, 'unknown fields', report)) {
    report('validation_failed', `${parent}.${name}`, unknownField(name), { value: name, known })
  }
  return issues.map(withoutContext)
}
