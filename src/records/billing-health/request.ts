import { sql } from '../../compiler/fragment.ts'
import { DEFAULT_SET, setNamed } from '../../core/definition-sets/sets.ts'
import { errorFromIssues } from '../../core/errors.ts'
import { dayOf, daysBefore } from '../../core/periods.ts'
import type { ResolvedNames } from '../../query/audience-request.ts'
import type { Condition } from '../../query/condition.ts'
import { listField, TENANT_FIELD } from '../../query/lists/definition.ts'
import { type DataRequest, type ListInputs, parseData } from '../../query/lists/request.ts'
import type { Raw } from '../../query/raw-parameters.ts'
import type { Warning } from '../../query/warning.ts'
import { FINDING_CLASSES } from './classes.ts'
import { MARK_FIELD } from './marks.ts'

/** States of a finding: `open` if it reaches yesterday. */
export const FINDING_STATES = ['open', 'closed'] as const

/** Days of the range if the request has none. */
const USUAL_DAYS = 90

/** Fields of findings. */
const OF_FINDINGS = ['class', 'state', 'mark']

const FIELDS = [
  TENANT_FIELD,
  listField('currency', 'Currency of the account. subscription.currency is that of the subscription.', sql`customer.currency`, {
    isUpperCase: true,
  }),
  listField('class', FINDING_CLASSES.join(', '), sql`fact.class`, { known: FINDING_CLASSES }),
  listField(
    'state',
    'open if the finding reaches yesterday, else closed',
    sql`case when fact.is_open = 1 then 'open' else 'closed' end`,
    { known: FINDING_STATES },
  ),
  MARK_FIELD,
]

/** Parameters and filters of the summary. */
export const HEALTH_INPUTS: ListInputs = {
  fields: FIELDS,
  statuses: [],
  subscriptions: 'all',
  own: ['search', 'source_id', 'customer_id'],
  takesDays: true,
  takesSegment: true,
}

/** Parameters and filters of the findings. */
export const FINDING_INPUTS: ListInputs = { ...HEALTH_INPUTS, own: ['limit', 'offset', 'search', 'source_id', 'customer_id'] }

/** A request with its range, and its conditions on days and on findings. */
export interface HealthRequest extends DataRequest {
  readonly start: string
  readonly end: string
  /** True if the range ends yesterday. */
  readonly isUpToNow: boolean
  readonly ofFindings: readonly Condition[]
}

/** Checks a request. The default range is the last 90 days up to yesterday, and no later day counts. AppError with all issues. */
export function parseHealth(params: Raw, spec: Raw, inputs: ListInputs, now: Date, names?: ResolvedNames): HealthRequest {
  const request = parseData(params, spec, inputs, now, names)
  const yesterday = daysBefore(dayOf(now), 1)
  const asked = request.end ?? yesterday
  const end = asked > yesterday ? yesterday : asked
  const start = request.start ?? daysBefore(end, USUAL_DAYS - 1)
  if (start > end) {
    const message = `"start" must not be after "end", and days count up to yesterday, ${yesterday}; not "${start}".`
    throw errorFromIssues([{ code: 'invalid_range', where: 'params.start', value: start, message, did_you_mean: [] }])
  }
  const set = setNamed(params) ?? DEFAULT_SET
  const unused: Warning = {
    code: 'unused_parameter',
    message: 'Without effect on billing health: definitions. Agreed amounts are those of the configuration.',
    count: 1,
  }
  const clamped: Warning = { code: 'future_clamped', message: `Days count up to yesterday, ${yesterday}.`, count: 1 }
  return {
    ...request,
    start,
    end,
    isUpToNow: end === yesterday,
    conditions: request.conditions.filter(({ field }) => !OF_FINDINGS.includes(field.key)),
    ofFindings: request.conditions.filter(({ field }) => OF_FINDINGS.includes(field.key)),
    warnings: [
      ...request.warnings,
      ...(set === DEFAULT_SET ? [] : [unused]),
      ...(request.end !== undefined && asked > end ? [clamped] : []),
    ],
  }
}
