import { unlessAborted } from '../../core/async.ts'
import { AppError } from '../../core/errors.ts'
import { dayOf, daysBefore } from '../../core/periods.ts'
import { defineField } from '../../query/field.ts'
import { collectIssues, mustBe, oneOf, refuse, throwIssues } from '../../query/issues.ts'
import { equalitiesIn } from '../../query/lists/filters.ts'
import { type ListInputs, parseData } from '../../query/lists/request.ts'
import { whole } from '../../query/parameter-types.ts'
import { isAbsent, type Raw, readValue } from '../../query/raw-parameters.ts'
import type { Check, Found, VerifyContext } from './check.ts'
import { CHECKS, VERIFY_CHECKS } from './list.ts'

/** The result of a check. */
export interface CheckResult {
  readonly name: string
  /** Null: the check does not apply to this data, or no part of it was checked in time (`is_complete` is then false). The message says why. */
  readonly ok: boolean | null
  /** Of an equation that holds, or of the first fault. */
  readonly expected?: number | null
  readonly actual?: number | null
  readonly difference?: number
  /** Number of comparisons. */
  readonly count: number
  /** False if a part was not checked, mostly because the time was over. True for a check that does not apply. */
  readonly is_complete: boolean
  /** Parts of the check. 0 if the check does not apply. */
  readonly parts: number
  /** Parts that were checked. */
  readonly parts_done: number
  readonly message: string
  /** The first things that are wrong: ids of customers and records, or names of questions with their groups. */
  readonly ids: readonly string[]
}

/** The results of all checks of a range. */
export interface VerifyReport {
  /** False if a check failed. */
  readonly ok: boolean
  /** False if a check is not complete. */
  readonly is_complete: boolean
  readonly start: string
  readonly end: string
  readonly checks: readonly CheckResult[]
  /** Instant up to which the data is complete. Null: a replica whose lag is not known. */
  readonly data_through: string | null
}

/** The checks of a request and its days. */
export interface VerifyRequest {
  readonly start: string
  readonly end: string
  readonly checks: readonly Check[]
  /** The time for all checks together. */
  readonly time_limit_s: number
}

/** How far a verification is: called before each check, and at the end without a check. */
export type OnProgress = (done: number, all: number, check: Pick<Check, 'name'> | undefined) => void

/** Days of the range if the request names none: the last 365. */
const USUAL_DAYS = 365
const MOST_IDS = 10
/** Seconds for all checks, if the request names none, and the most that it may name. */
const USUAL_SECONDS = 120
const MOST_SECONDS = 600

/** Seconds for all checks together. */
export const TIME_LIMIT = whole(1, MOST_SECONDS)

const CHECK = defineField({
  key: 'check',
  type: 'string',
  description: `Only this check; may be repeated. ${oneOf(VERIFY_CHECKS)}`,
  expression: () => null,
})

/** Parameters of a verification without its time limit. */
export const VERIFY_INPUTS: ListInputs = {
  fields: [CHECK],
  statuses: [],
  own: [],
  takesDays: true,
  takesSegment: false,
  isPlain: true,
}

/** The checks and days of a request. AppError `invalid_value`, `invalid_range`. */
export function readVerifyRequest({ time_limit_s, ...params }: Raw, now: Date): VerifyRequest {
  const { report, issues } = collectIssues()
  const limit = isAbsent(time_limit_s) ? undefined : readValue(TIME_LIMIT, time_limit_s, 'params.time_limit_s', report)?.value
  throwIssues(issues)
  const today = dayOf(now)
  const { start: first, end: last = today, conditions } = parseData(params, {}, VERIFY_INPUTS, now)
  const wanted = equalitiesIn(conditions, params).get('check')
  for (const value of wanted ?? []) {
    if (VERIFY_CHECKS.includes(value)) continue
    throw refuse('invalid_value', 'params.check', mustBe('check', oneOf(VERIFY_CHECKS), value), {
      value,
      known: VERIFY_CHECKS,
      context: { available: VERIFY_CHECKS },
    })
  }
  // Days after today are answered as of now, so they are left out.
  const end = last > today ? today : last
  const start = first ?? daysBefore(end, USUAL_DAYS - 1)
  if (start > end) {
    const limit = end === today ? `at most ${end}, today` : `at most ${end}, the end of the range`
    throw refuse('invalid_range', 'params.start', mustBe('start', limit, start), { value: start })
  }
  return {
    start,
    end,
    checks: CHECKS.filter(({ name }) => wanted?.includes(name) !== false),
    time_limit_s: limit ?? USUAL_SECONDS,
  }
}

/**
 * Runs the checks one after the other. Each gets its share of the time that is left, so a check that needs less leaves more to the next ones.
 * `limit` fires at the end of the time for all checks. The signal of the context fires then, and when the caller leaves, which is an error.
 */
export async function runVerification(
  { checks, start, end, time_limit_s }: VerifyRequest,
  context: Omit<VerifyContext, 'budget_ms' | 'onPart'>,
  limit: AbortSignal,
  onProgress: OnProgress,
): Promise<Omit<VerifyReport, 'data_through'>> {
  const results: CheckResult[] = []
  const over = performance.now() + time_limit_s * 1_000
  for (const [index, check] of checks.entries()) {
    onProgress(index, checks.length, check)
    const shares = checks.slice(index).reduce((sum, { share = 1 }) => sum + share, 0)
    const budget_ms = ((over - performance.now()) * (check.share ?? 1)) / shares
    results.push(await resultOf(check, { ...context, budget_ms }, limit))
  }
  onProgress(checks.length, checks.length, undefined)
  const is_complete = results.every((result) => result.is_complete)
  return { ok: results.every(({ ok }) => ok !== false), is_complete, start, end, checks: results }
}

/** Refusals after which a check says nothing about the data. Checks of their own report missing rates and prices. */
const DOES_NOT_APPLY: readonly string[] = ['unsupported_by_connector', 'missing_fx_rate', 'unpriced_plan']
/** Refusals after which a check is not complete, which counts as a failure. */
const NOT_FINISHED: readonly string[] = ['query_timeout', 'result_too_large', 'canonical_enum_violation']

async function resultOf(check: Check, context: Omit<VerifyContext, 'onPart'>, limit: AbortSignal): Promise<CheckResult> {
  const { signal } = context
  let soFar: Found | undefined
  const onPart = (found: Found) => {
    soFar = found
  }
  try {
    signal.throwIfAborted()
    return written(check, await unlessAborted(check.run({ ...context, onPart }), signal))
  } catch (error) {
    if (limit.aborted && signal.reason === limit.reason) return soFar === undefined ? late(check) : written(check, soFar)
    signal.throwIfAborted()
    if (!(error instanceof AppError)) throw error
    const ok = DOES_NOT_APPLY.includes(error.code) ? null : NOT_FINISHED.includes(error.code) ? false : undefined
    if (ok === undefined) throw error
    const message = `${ok === null ? 'not checked' : 'could not be finished'}: ${error.message}`
    const parts = ok === null ? 0 : 1
    return { name: check.name, ok, count: 0, is_complete: ok === null, parts, parts_done: 0, message, ids: [] }
  }
}

/** The result of a check of which no part was checked in time. */
function late({ name }: Check): CheckResult {
  const message = 'not checked: the time was over'
  return { name, ok: null, count: 0, is_complete: false, parts: 1, parts_done: 0, message, ids: [] }
}

function written({ name, unit }: Check, { count, faults, expected, actual, parts, remark }: Found): CheckResult {
  const [first] = faults
  const sides = first === undefined ? { expected, actual } : { expected: first.expected, actual: first.actual }
  const { expected: left, actual: right } = sides
  const more = faults.length > 1 ? `, and ${faults.length - 1} more` : ''
  const holds = `${count} ${unit}`
  const message = first === undefined ? holds : `${first.message}${more}`
  return {
    name,
    ok: first === undefined,
    ...(left === undefined ? {} : { expected: left }),
    ...(right === undefined ? {} : { actual: right }),
    ...(typeof left === 'number' && typeof right === 'number' ? { difference: right - left } : {}),
    count,
    is_complete: parts === undefined || parts.done === parts.all,
    parts: parts?.all ?? 1,
    parts_done: parts?.done ?? 1,
    message: remark === undefined ? message : `${message} (${remark})`,
    ids: [...new Set(faults.map(({ id }) => id))].slice(0, MOST_IDS),
  }
}
