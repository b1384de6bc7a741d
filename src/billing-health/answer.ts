import * as z from 'zod'
import { type Fragment, fn, sql, textList } from '../compiler/fragment.ts'
import { UTC } from '../core/calendar.ts'
import { BEGINNING, dayAfter, dayOf } from '../core/periods.ts'
import { shapeRecords } from '../execution/answer/describe-columns.ts'
import type { Question } from '../execution/pipeline.ts'
import { compileData, type RunContext } from '../execution/run.ts'
import { onReplica } from '../execution/session/on-replica.ts'
import { withOwnEnds } from '../execution/session/swap-window.ts'
import type { Row } from '../ports/rows.ts'
import { type ListInputs, namedInList } from '../query/lists/request.ts'
import type { Raw } from '../query/raw-parameters.ts'
import { allOf, listFact, listFilters, ofCustomers } from '../records/filters.ts'
import { asDeclared, warnOfMissingRates } from '../records/written-rows.ts'
import type { FindingClass } from './classes.ts'
import { withEvidence } from './evidence.ts'
import { findingsOf, sinceItBegan } from './findings.ts'
import { FINDING_INPUTS, HEALTH_INPUTS, type HealthRequest, isAsked, parseHealth } from './request.ts'
import { CLASS_LINE, type ClassLine, FINDING_ROW, type Finding, HEALTH_ANSWER, type HealthAnswer } from './rows.ts'
import { findingKey, type HealthDays, numberOfDay, runsByFinding } from './runs.ts'
import { classLines, healthOf } from './sums.ts'

/** Relations without which billing health cannot be answered. */
export const HEALTH_READS: readonly string[] = ['billed_stretch', 'subscription_span', 'subscription_life', 'customer']

/** The sums, and their lines in a file. */
interface FoundHealth {
  readonly answer: HealthAnswer
  readonly lines: readonly ClassLine[]
}

/** A page of findings. */
interface FindingPage {
  readonly total: number
  readonly limit: number
  readonly offset: number
  readonly rows: readonly Finding[]
}

/** Agreed and billed amounts by class (http-api.md 12). `sets` are the names of the definition sets. */
export function healthQuestion(params: Raw, spec: Raw, sets: readonly string[]): Question<HealthRequest, FoundHealth> {
  return {
    ...common(['billing health', params, spec], params, spec, { ...HEALTH_INPUTS, sets }),
    async run(request, context) {
      const { rows, findings } = await readFindings(request, context)
      const { start, end } = request
      const sums = healthOf(rows, findings)
      if (sums.agreed_base_cents === null || sums.billed_base_cents === null) warnOfRates(rows, context)
      const answer = asDeclared(HEALTH_ANSWER, { start, end, base_currency: baseOf(context), ...sums }, 'billing health')
      return { answer, lines: classLines(rows, sums) }
    },
    shape({ answer, lines }, request, context) {
      const base = baseOf(context)
      const table = shapeRecords({ data: lines, kind: 'rows' }, CLASS_LINE, request, base)
      return { ...shapeRecords({ data: answer, kind: 'object' }, HEALTH_ANSWER, request, base), file: table }
    },
  }
}

/** A page of findings with their evidence, largest amount first. */
export function findingsQuestion(params: Raw, spec: Raw, sets: readonly string[]): Question<HealthRequest, FindingPage> {
  return {
    ...common(['billing findings', params, spec], params, spec, { ...FINDING_INPUTS, sets }),
    async run(request, context) {
      const { rows, findings } = await readFindings(request, context)
      if (findings.some(({ difference_base_cents }) => difference_base_cents === null)) warnOfRates(rows, context)
      const { limit, offset } = request
      const page = await withBeginnings(findings.slice(offset, offset + limit), request, context)
      const { deps } = context
      const shown = (await onReplica(context, (session) => withEvidence(page, { deps, session }))).map((finding) => ({
        ...finding,
        admin_url: deps.connector.customerUrl?.(finding.customer_id) ?? null,
      }))
      return { total: findings.length, limit, offset, rows: asDeclared(z.array(FINDING_ROW), shown, 'billing health') }
    },
    shape: (data, request, context) => shapeRecords({ data, kind: 'page' }, FINDING_ROW, request, baseOf(context)),
  }
}

/** All open findings of these classes, with the day since which they hold, in the session of `context`. */
export async function uninvoicedFindings(classes: readonly FindingClass[], asked: RunContext): Promise<readonly Finding[]> {
  const context = await inUtc(asked)
  const request = parseHealth({ class: classes, state: 'open' }, {}, FINDING_INPUTS, context.session.now)
  const { findings } = await readFindings(request, context)
  return withBeginnings(findings, request, context)
}

/** The context with the days of UTC, as billing health has them in every zone (D84). */
async function inUtc(context: RunContext): Promise<RunContext> {
  const { session, sessionUnder } = context
  if (session.calendar.zone === UTC) return context
  return { ...context, session: await sessionUnder({ ...session.definitions, time_zone: UTC }) }
}

function common(key: readonly unknown[], params: Raw, spec: Raw, inputs: ListInputs) {
  return {
    key,
    // Agreed amounts are those of the configuration, whatever set a request names.
    set: undefined,
    isInUtc: true,
    named: namedInList(params, spec, inputs),
    plan: (now: Date, names?: Parameters<typeof parseHealth>[4]) => parseHealth(params, spec, inputs, now, names),
    planAt: (request: HealthRequest) => request,
    takesAttributes: () => false,
    audience: ({ audience }: HealthRequest) => audience,
  }
}

interface Read {
  readonly rows: readonly Row[]
  readonly findings: readonly Finding[]
}

async function readFindings(request: HealthRequest, context: RunContext): Promise<Read> {
  for (const warning of request.warnings) context.warn(warning)
  const days: HealthDays = { first: numberOfDay(request.start), end: numberOfDay(request.end) + 1, isUpToNow: request.isUpToNow }
  const filters = listFilters(ofCustomers(sql`fact.subscription_id`), request, listFact(context))
  const rows = await readRuns(days, filters, request, context)
  return { rows, findings: findingsOf(rows, days).filter((finding) => isAsked(finding, request)) }
}

/** Findings whose amounts already hold at the start of the range get the day since which they hold. */
async function withBeginnings(
  findings: readonly Finding[],
  request: HealthRequest,
  context: RunContext,
): Promise<readonly Finding[]> {
  const isCut = ({ began_on }: Finding) => began_on === request.start
  const cut = findings.filter(isCut)
  if (cut.length === 0) return findings
  const ids = textList([...new Set(cut.map(({ subscription_id }) => subscription_id))])
  const days = { first: numberOfDay(dayOf(BEGINNING)), end: numberOfDay(request.end) + 1 }
  const rows = await readRuns(days, allOf([sql`${fn('text', sql`fact.subscription_id`)} in (${ids})`]), request, context)
  const runs = runsByFinding(rows)
  return findings.map((finding) => (isCut(finding) ? sinceItBegan(finding, runs.get(findingKey(finding)) ?? []) : finding))
}

async function readRuns(
  { first, end }: Pick<HealthDays, 'first' | 'end'>,
  filters: Fragment,
  request: HealthRequest,
  context: RunContext,
): Promise<readonly Row[]> {
  return context.run(
    await compileData(
      {
        template: 'billing_health/runs',
        slots: { filters },
        params: { first_day: first, end_day: end, rate_day: request.end },
        // A day of an account west of UTC ends after the UTC day.
        window: { from: BEGINNING, to: dayAfter(dayAfter(request.end).toISOString().slice(0, 10)) },
      },
      request.audience,
      { ...context, session: withOwnEnds(context.session) },
    ),
  )
}

function warnOfRates(rows: readonly Row[], context: RunContext): void {
  const missing = rows.filter((row) => row['agreed_base_cents'] === null || row['billed_base_cents'] === null)
  warnOfMissingRates(
    missing.map((row) => String(row['currency'])),
    context,
  )
}

function baseOf({ session }: RunContext): string {
  return session.definitions.base_currency
}
