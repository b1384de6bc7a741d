import * as z from 'zod'
import { InternalError } from '../core/errors.ts'
import { BEGINNING, dayAfter } from '../core/periods.ts'
import { shapeRecords } from '../execution/answer/describe-columns.ts'
import type { Question } from '../execution/pipeline.ts'
import { compileData, type RunContext } from '../execution/run.ts'
import type { Row } from '../ports/rows.ts'
import { namedInList } from '../query/lists/request.ts'
import type { Raw } from '../query/raw-parameters.ts'
import { listFact, listFilters } from '../records/filters.ts'
import { findingsOf, type HealthDays, healthOf, numberOfDay } from './findings.ts'
import { FINDING_INPUTS, HEALTH_INPUTS, type HealthRequest, isAsked, NARROWED, parseHealth } from './request.ts'
import { FINDING_ROW, type Finding, HEALTH_ANSWER, type HealthAnswer } from './rows.ts'

/** Relations without which billing health cannot be answered. */
export const HEALTH_READS: readonly string[] = ['billed_stretch', 'subscription_span', 'subscription_life', 'customer']

/** A page of findings. */
export interface FindingPage {
  readonly total: number
  readonly limit: number
  readonly offset: number
  readonly rows: readonly Finding[]
}

/** Agreed and billed amounts by class (http-api.md 12). */
export function healthQuestion(params: Raw, spec: Raw): Question<HealthRequest, HealthAnswer> {
  return {
    ...common(['billing health', params, spec], params, spec, HEALTH_INPUTS),
    async run(request, context) {
      const { rows, findings } = await readFindings(request, context)
      const { start, end } = request
      const sums = healthOf(rows, findings)
      if (sums.agreed_base_cents === null || sums.billed_base_cents === null) warnOfRates(rows, context)
      return checked(HEALTH_ANSWER, { start, end, base_currency: baseOf(context), ...sums })
    },
    shape: (data, request, context) => shapeRecords({ data, kind: 'object' }, HEALTH_ANSWER, request, baseOf(context)),
  }
}

/** A page of findings, largest amount first, still without their evidence. */
export function findingsQuestion(params: Raw, spec: Raw): Question<HealthRequest, FindingPage> {
  return {
    ...common(['billing findings', params, spec], params, spec, FINDING_INPUTS),
    async run(request, context) {
      const { rows, findings } = await readFindings(request, context)
      if (findings.some(({ difference_base_cents }) => difference_base_cents === null)) warnOfRates(rows, context)
      const { limit, offset } = request
      const page = findings.slice(offset, offset + limit)
      return { total: findings.length, limit, offset, rows: checked(z.array(FINDING_ROW), page) }
    },
    shape: (data, request, context) => shapeRecords({ data, kind: 'page' }, FINDING_ROW, request, baseOf(context)),
  }
}

function common(key: readonly unknown[], params: Raw, spec: Raw, inputs: typeof HEALTH_INPUTS) {
  return {
    key,
    // Agreed amounts are those of the configuration, whatever set a request names.
    set: undefined,
    named: namedInList(params, spec, inputs),
    plan: (now: Date, names?: Parameters<typeof parseHealth>[4]) => parseHealth(params, spec, inputs, now, names),
    planAt: (request: HealthRequest) => request,
    takesAttributes: () => false,
    audience: ({ audience }: HealthRequest) => audience,
  }
}

async function readFindings(
  request: HealthRequest,
  context: RunContext,
): Promise<{ readonly rows: readonly Row[]; readonly findings: readonly Finding[] }> {
  for (const warning of request.warnings) context.warn(warning)
  const { deps, session } = context
  const days: HealthDays = { first: numberOfDay(request.start), end: numberOfDay(request.end) + 1, isUpToNow: request.isUpToNow }
  const rows = await context.run(
    await compileData(
      {
        template: 'billing_health/runs',
        slots: { filters: listFilters(NARROWED, request, listFact({ deps, session })) },
        params: { first_day: days.first, end_day: days.end, rate_day: request.end },
        // A day of an account west of UTC ends after the UTC day.
        window: { from: BEGINNING, to: dayAfter(dayAfter(request.end).toISOString().slice(0, 10)) },
      },
      request.audience,
      { deps, session },
    ),
  )
  return { rows, findings: findingsOf(rows, days).filter((finding) => isAsked(finding, request)) }
}

function warnOfRates(rows: readonly Row[], context: RunContext): void {
  const missing = rows.filter((row) => row['agreed_base_cents'] === null || row['billed_base_cents'] === null)
  const currencies = [...new Set(missing.map((row) => String(row['currency'])))].sort()
  const message = `No exchange rate for ${currencies.join(', ')} on the last day, so amounts with them are null.`
  context.warn({ code: 'missing_fx_rate', message, count: currencies.length })
}

function checked<T>(schema: z.ZodType<T>, value: unknown): T {
  const read = schema.safeParse(value)
  if (!read.success) throw new InternalError(`billing health does not match its schema: ${read.error.message}`)
  return read.data
}

function baseOf({ session }: RunContext): string {
  return session.definitions.base_currency
}
