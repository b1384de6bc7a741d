import * as z from 'zod'
import { digits, type Fragment, fn, sql, textList } from '../../compiler/fragment.ts'
import { UTC } from '../../core/calendar.ts'
import { BEGINNING, dayAfter, dayOf, numberOfDay } from '../../core/periods.ts'
import type { AskOptions } from '../../execution/answer/answer.ts'
import { shapeRecords } from '../../execution/answer/describe-columns.ts'
import type { Question } from '../../execution/pipeline.ts'
import { narrowedTo } from '../../execution/plan/disclosure.ts'
import { compileData, type RunContext } from '../../execution/run.ts'
import { onReplica } from '../../execution/session/on-replica.ts'
import { withOwnEnds } from '../../execution/session/swap-window.ts'
import { integerOrNull, textCell, textOf } from '../../ports/cells.ts'
import type { Row } from '../../ports/rows.ts'
import { type ListInputs, namedInList } from '../../query/lists/request.ts'
import type { Raw } from '../../query/raw-parameters.ts'
import { pointAt } from '../../query/timeframe.ts'
import { allOf, conditionsOf, fieldTests, listFact, listFilters, ofCustomers } from '../filters.ts'
import { type PagePart, readWithTotal } from '../list.ts'
import { bySubscription, refuseBandGaps } from '../subscription-conditions.ts'
import { asDeclared, warnOfMissingRates } from '../written-rows.ts'
import { type FindingClass, QUIET } from './classes.ts'
import { withEvidence } from './evidence.ts'
import { findingsOf, markedFinding, sinceItBegan } from './findings.ts'
import { isNamed, type Marks, type NamedThing, NO_MARKS, narrowedToIds, type PresentThing, readMarks } from './marks.ts'
import { FINDING_INPUTS, HEALTH_INPUTS, type HealthRequest, parseHealth } from './request.ts'
import { CLASS_LINE, type ClassLine, FINDING_ROW, type Finding, HEALTH_ANSWER, type HealthAnswer } from './rows.ts'
import { findingKey, type Run, runsByFinding, unbrokenSince } from './runs.ts'
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

/**
 * Agreed and billed amounts by class (http-api.md 12). `sets` are the names of the definition sets. `disclosing` is called if the request narrows the
 * sums to customers.
 */
export function healthQuestion(
  params: Raw,
  spec: Raw,
  sets: readonly string[],
  disclosing?: AskOptions['disclosing'],
): Question<HealthRequest, FoundHealth> {
  const asked = common(['billing health', params, spec], params, spec, { ...HEALTH_INPUTS, sets })
  const own = HEALTH_INPUTS.fields.map(({ key }) => key)
  disclosing?.(narrowedTo(params, spec, asked.named, own))
  return {
    ...asked,
    async run(request, context) {
      for (const warning of request.warnings) context.warn(warning)
      await refuseBandGaps(request.ofSubscription, context)
      const marks = await readMarks(request.ofFindings, context)
      const rows = await read('classes', request, { filters: filtersOf(request, context), marks }, context)
      const { start, end } = request
      const sums = healthOf(rows)
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
      const { limit, offset } = request
      const marks = await readMarks(request.ofFindings, context)
      const { total, findings } = await readFindings(request, context, { limit, offset, marks })
      const { deps } = context
      const hasRecords = (deps.connector.capabilities['billing_evidence'] ?? 'absent') !== 'absent'
      const proven = hasRecords ? await onReplica(context, (session) => withEvidence(findings, { deps, session })) : findings
      const shown = proven.map((finding) => ({
        ...finding,
        admin_url: deps.connector.customerUrl?.(finding.customer_id) ?? null,
        mark: marks.of(markedFinding(finding), { ...finding, amount_base_cents: 0 }, baseOf(context)),
      }))
      return { total, limit, offset, rows: asDeclared(z.array(FINDING_ROW), shown, 'billing health') }
    },
    shape: (data, request, context) => shapeRecords({ data, kind: 'page' }, FINDING_ROW, request, baseOf(context)),
  }
}

/** The customer of an open finding. */
export interface Uninvoiced {
  readonly source_id: string
  readonly customer_id: string
  readonly customer_name: string | null
  readonly class: FindingClass
  /** First of the days up to yesterday without a gap, which may be before the range. The amounts may have changed since. */
  readonly unbroken_since: string
}

/** All open findings of these classes, in the session of `context`. */
export async function uninvoicedFindings(classes: readonly FindingClass[], asked: RunContext): Promise<readonly Uninvoiced[]> {
  const context = await inUtc(asked)
  const request = parseHealth({ class: classes, state: 'open' }, {}, FINDING_INPUTS, context.session.now)
  const rows = await readRows(request, context, NO_MARKS)
  const runs = await runsOf(rows, { ...request, start: dayOf(BEGINNING) }, context)
  return rows.map((row) => ({
    source_id: textOf(row, 'source_id'),
    customer_id: textOf(row, 'customer_id'),
    customer_name: textCell(row, 'customer_name'),
    class: textOf(row, 'class') as FindingClass,
    unbroken_since: unbrokenSince(runs.get(findingKey(row)) ?? []),
  }))
}

/** The findings that these ids name, of all days up to yesterday, in the session of `context`. */
export async function presentFindings(named: NamedThing, asked: RunContext): Promise<readonly PresentThing[]> {
  const context = await inUtc(asked)
  const params = { class: named.kind, start: dayOf(BEGINNING), ...narrowedToIds(named) }
  const rows = await readRows(parseHealth(params, {}, FINDING_INPUTS, context.session.now), context, NO_MARKS)
  return rows
    .map((row) => ({
      source_id: textOf(row, 'source_id'),
      kind: named.kind,
      customer_id: textOf(row, 'customer_id'),
      subscription_id: textOf(row, 'subscription_id'),
      invoice_id: null,
      base_currency: baseOf(context),
      monthly_base_cents: integerOrNull(row, 'monthly_base_cents'),
      amount_base_cents: 0,
    }))
    .filter((thing) => isNamed(thing, named))
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
    conditions: conditionsOf,
  }
}

/** The findings of a page with the total number. */
async function readFindings(
  request: HealthRequest,
  context: RunContext,
  { marks, ...page }: PagePart & { readonly marks: Marks },
): Promise<{ readonly total: number; readonly findings: readonly Finding[] }> {
  for (const warning of request.warnings) context.warn(warning)
  await refuseBandGaps(request.ofSubscription, context)
  const { total, found } = await readWithTotal(page, (part) => readRows(request, context, marks, part))
  if (found.some((row) => row['difference_base_cents'] === null)) warnOfRates(found, context)
  return { total, findings: await withBeginnings(findingsOf(found, await runsOf(found, request, context)), request, context) }
}

/** The rows of the findings of a page, or else of all. */
async function readRows(request: HealthRequest, context: RunContext, marks: Marks, page?: PagePart): Promise<readonly Row[]> {
  const slots = { filters: filtersOf(request, context), marks }
  if (page === undefined) return read('findings', request, slots, context)
  const { dialect } = context.session.snapshot
  return read('findings', request, { ...slots, page: dialect.page(digits(page.limit), digits(page.offset)) }, context)
}

/** Findings whose amounts already hold at the start of the range get the day since which they hold. */
async function withBeginnings(
  findings: readonly Finding[],
  request: HealthRequest,
  context: RunContext,
): Promise<readonly Finding[]> {
  const isCut = ({ began_on }: Finding) => began_on === request.start
  const runs = await runsOf(findings.filter(isCut), { ...request, start: dayOf(BEGINNING) }, context)
  return findings.map((finding) => (isCut(finding) ? sinceItBegan(finding, runs.get(findingKey(finding)) ?? []) : finding))
}

/** Number of subscriptions up to which a statement names them. Above it, the runs of all findings are read. */
const MOST_NAMED = 1_000

/** The runs of these findings within the range of `request`. */
async function runsOf(
  findings: readonly (Row | Finding)[],
  request: HealthRequest,
  context: RunContext,
): Promise<ReadonlyMap<string, readonly Run[]>> {
  const ids = [...new Set(findings.map(({ subscription_id }) => String(subscription_id)))]
  if (ids.length === 0) return new Map()
  const named = ids.length > MOST_NAMED ? [] : [sql`${fn('text', sql`fact.subscription_id`)} in (${textList(ids)})`]
  return runsByFinding(await read('runs', request, { filters: allOf(named) }, context))
}

/** Conditions on the customers and subscriptions, and on the class, state and mark of findings, which days without a finding fulfil. */
function filtersOf(request: HealthRequest, context: RunContext): Fragment {
  const fact = listFact(context)
  const ofFindings = fieldTests(request.ofFindings, fact).map((test) => sql`fact.class in (${textList(QUIET)}) or ${test}`)
  return sql`${listFilters(ofCustomers(sql`fact.subscription_id`), request, fact)}${bySubscription(request.ofSubscription, fact)}${allOf(ofFindings)}`
}

async function read(
  query: 'classes' | 'findings' | 'runs',
  { start, end, isUpToNow, audience, ofSubscription }: HealthRequest,
  { marks, ...slots }: { readonly filters: Fragment; readonly page?: Fragment; readonly marks?: Marks },
  context: RunContext,
): Promise<readonly Row[]> {
  const { now } = context.session
  const to = dayAfter(dayAfter(end).toISOString().slice(0, 10))
  // Subscriptions are matched by their state now, as the rows show it.
  const afterNow = pointAt(dayOf(now), now).before
  return context.run(
    await compileData(
      {
        template: `billing_health/${query}`,
        slots,
        ...(marks && { inline: [marks.relation] }),
        params: {
          first_day: numberOfDay(start),
          end_day: numberOfDay(end) + 1,
          is_up_to_now: isUpToNow ? 1 : 0,
          ...(query === 'runs' ? {} : { rate_day: end }),
        },
        // A day of an account west of UTC ends after the UTC day.
        window: { from: BEGINNING, to: ofSubscription.length === 0 || to > afterNow ? to : afterNow },
      },
      query === 'runs' ? undefined : audience,
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
