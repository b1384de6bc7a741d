import { AppError } from '../core/errors.ts'
import { dayOf, daysBefore } from '../core/periods.ts'
import { defineField } from '../query/field.ts'
import { mustBe, oneOf, refuse } from '../query/issues.ts'
import { equalitiesIn } from '../query/lists/filters.ts'
import { type ListInputs, parseData } from '../query/lists/request.ts'
import type { Raw } from '../query/raw-parameters.ts'
import type { Check, Found, VerifyContext } from './check.ts'
import { CHECKS, VERIFY_CHECKS } from './list.ts'

/** The result of a check. */
export interface CheckResult {
  readonly name: string
  /** Null: the check does not apply to this data. The message says why. */
  readonly ok: boolean | null
  /** Of an equation that holds, or of the first fault. */
  readonly expected?: number | null
  readonly actual?: number | null
  readonly difference?: number
  /** Number of comparisons. */
  readonly count: number
  readonly message: string
  /** The first things that are wrong: ids of customers and records, or names of questions with their groups. */
  readonly ids: readonly string[]
}

/** The results of all checks of a range. */
export interface VerifyReport {
  /** False if a check failed. */
  readonly ok: boolean
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
}

/** How far a verification is: called before each check, and at the end without a check. */
export type OnProgress = (done: number, all: number, check: Check | undefined) => void

/** Days of the range if the request names none: the last 365. */
const USUAL_DAYS = 365
const MOST_IDS = 10

const CHECK = defineField({
  key: 'check',
  type: 'string',
  description: `Only this check; may be repeated. ${oneOf(VERIFY_CHECKS)}`,
  expression: () => null,
})

/** Parameters of a verification. */
export const VERIFY_INPUTS: ListInputs = {
  fields: [CHECK],
  statuses: [],
  own: [],
  takesDays: true,
  takesSegment: false,
  isPlain: true,
}

/** The checks and days of a request. AppError `invalid_value`, `invalid_range`. */
export function readVerifyRequest(params: Raw, now: Date): VerifyRequest {
  const { start: first, end = dayOf(now), conditions } = parseData(params, {}, VERIFY_INPUTS, now)
  const wanted = equalitiesIn(conditions, params).get('check')
  for (const value of wanted ?? []) {
    if (VERIFY_CHECKS.includes(value)) continue
    throw refuse('invalid_value', 'params.check', mustBe('check', oneOf(VERIFY_CHECKS), value), {
      value,
      known: VERIFY_CHECKS,
      context: { available: VERIFY_CHECKS },
    })
  }
  const start = first ?? daysBefore(end, USUAL_DAYS - 1)
  if (start > dayOf(now))
    throw refuse('invalid_range', 'params.start', mustBe('start', `at most ${dayOf(now)}, today`, start), { value: start })
  if (start > end)
    throw refuse('invalid_range', 'params.start', mustBe('start', `at most ${end}, the end of the range`, start), {
      value: start,
    })
  // Days after today are answered as of now, so they are left out.
  return {
    start,
    end: end > dayOf(now) ? dayOf(now) : end,
    checks: CHECKS.filter(({ name }) => wanted?.includes(name) !== false),
  }
}

/** Runs the checks one after the other. The caller's signal ends it between two questions. */
export async function runVerification(
  { checks, start, end }: VerifyRequest,
  context: VerifyContext,
  onProgress: OnProgress,
): Promise<Omit<VerifyReport, 'data_through'>> {
  const results: CheckResult[] = []
  for (const [index, check] of checks.entries()) {
    context.signal?.throwIfAborted()
    onProgress(index, checks.length, check)
    results.push(await resultOf(check, context))
  }
  onProgress(checks.length, checks.length, undefined)
  return { ok: results.every(({ ok }) => ok !== false), start, end, checks: results }
}

/** Refusals after which a check says nothing about the data. Checks of their own report missing rates and prices. */
const DOES_NOT_APPLY: readonly string[] = ['unsupported_by_connector', 'missing_fx_rate', 'unpriced_plan']
/** Refusals after which a check is not complete, which counts as a failure. */
const NOT_FINISHED: readonly string[] = ['query_timeout', 'result_too_large', 'canonical_enum_violation']

async function resultOf(check: Check, context: VerifyContext): Promise<CheckResult> {
  try {
    return written(check, await check.run(context))
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const ok = DOES_NOT_APPLY.includes(error.code) ? null : NOT_FINISHED.includes(error.code) ? false : undefined
    if (ok === undefined) throw error
    const message = `${ok === null ? 'not checked' : 'could not be finished'}: ${error.message}`
    return { name: check.name, ok, count: 0, message, ids: [] }
  }
}

function written({ name, unit }: Check, { count, faults, expected, actual, remark }: Found): CheckResult {
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
    message: remark === undefined ? message : `${message} (${remark})`,
    ids: [...new Set(faults.map(({ id }) => id))].slice(0, MOST_IDS),
  }
}
