import type { EvidenceSubject } from '../connector-kit/evidence.ts'
import { unitsOf } from '../core/currency.ts'
import { type DefinitionSets, setNamed } from '../core/definition-sets/sets.ts'
import { daysOf, shapeRecords } from '../execution/answer/describe-columns.ts'
import type { Question } from '../execution/pipeline.ts'
import type { Planner } from '../execution/plan/plan.ts'
import type { RunContext } from '../execution/run.ts'
import { onReplica } from '../execution/session/on-replica.ts'
import { isBuiltIn } from '../metrics/built-in.ts'
import { tooLarge } from '../metrics/readings/groups.ts'
import { collectIssues, throwIssues } from '../query/issues.ts'
import { asksForecast, isExplained, type Raw } from '../query/raw-parameters.ts'
import { type Cell, namedInCell, planCell, readCell, splitCell } from './cell.ts'
import { differenceOf } from './difference.ts'
import { type PlannedRows, type ReadRows, readRows } from './read-rows.ts'
import { COUNTED_ROW, type CountedRow, changedRow, type FoundRow } from './rows.ts'
import { readStep, type Step, splitStep, stepNamed } from './step.ts'
import { type UsagePart, usageParts } from './usage.ts'

/** A page of the rows behind a number. */
interface RowsPage {
  readonly total: number
  readonly limit: number
  readonly offset: number
  readonly measure: string
  /** The sum over all rows, whatever page is shown: the number itself, or the difference that a step of a bridge makes. */
  readonly sum: number
  readonly rows: readonly CountedRow[]
}

/** A page, and whether it counts or adds cents. */
interface FoundRows {
  readonly page: RowsPage
  readonly kind: ReadRows['kind']
}

/** The rows of a number, or those that make the difference of a step. */
interface PlannedPage extends PlannedRows {
  readonly step: Step | undefined
}

interface RowsSettings {
  readonly planner: Planner
  readonly sets: DefinitionSets
  /** All rows unless the request has a limit. */
  readonly isWhole: boolean
  readonly max_rows: number
}

/** Rows of a page by default. */
const DEFAULT_ROWS = 100
/** Most rows of a page. */
const MOST_ROWS = 1_000
/** Columns that only pages have. */
const OF_PAGES: readonly string[] = ['usage_note', 'evidence']

/** The rows behind one number of a query, or behind a step of a bridge (http-api.md 15). With `isWhole` and without a limit, they are all rows. */
export function rowsQuestion(
  metric: string,
  params: Raw,
  spec: Raw,
  { planner, sets, isWhole, max_rows }: RowsSettings,
): Question<PlannedPage, FoundRows> {
  const { ofStep, others } = splitStep(params)
  const draft = splitCell(planner.listed(metric), others, spec)
  const most = isWhole ? max_rows : MOST_ROWS
  const usual = isWhole ? max_rows : DEFAULT_ROWS
  const plan: Question<PlannedPage, FoundRows>['plan'] = (now, names) => {
    const { report, issues } = collectIssues()
    const step = readStep(ofStep, others, sets, report)
    throwIssues(issues)
    const planned = planCell(draft, () => planner.plan(metric, draft.params, draft.spec, now, names))
    return { planned, cell: readCell(planned, draft, names !== undefined, { most, usual }), step }
  }
  const named = stepNamed(ofStep, sets)
  return {
    key: [`rows ${metric}`, params, spec, isWhole],
    isForeign: !isBuiltIn(metric),
    set: named === undefined ? setNamed(params) : named.from,
    ...(named !== undefined && { definitions: [named.before, named.after] }),
    explains: isExplained(params),
    isForecast: asksForecast(params),
    named: namedInCell(draft),
    plan,
    planAt: (_, now) => plan(now),
    takesAttributes: () => true,
    audience: ({ cell }) => cell.request.audience,
    conditions: ({ cell }) => cell.request.conditions,
    async run(planned, context) {
      const { limit, offset, measure } = planned.cell
      const { total, sum, rows, kind } = await readPage(planned, max_rows, context)
      if (isWhole && total > limit && draft.own['limit'] === undefined) throw tooLarge(total, max_rows)
      const shown = (isWhole ? rows : await withEvidence(rows, context)).map((row) => withLink(shownOf(row), context))
      return { page: { total, limit, offset, measure, sum, rows: shown }, kind }
    },
    shape({ page, kind }, { planned, cell, step }, { session }) {
      const base = session.definitions.base_currency
      const sum = cell.request.money === 'units' && kind === 'cents' ? unitsOf(page.sum, currencyOf(cell, base)) : page.sum
      const row = step === undefined ? COUNTED_ROW : changedRow(kind)
      const shaped = shapeRecords({ data: page, kind: 'page' }, row, cell.request, base)
      const columns = isWhole ? shaped.columns.filter((column) => !OF_PAGES.includes(column)) : shaped.columns
      return { ...shaped, columns, days: daysOf(planned.request.time), data: { ...(shaped.data as RowsPage), sum } }
    },
  }
}

async function readPage(planned: PlannedPage, max_rows: number, context: RunContext): Promise<ReadRows> {
  const { cell, step } = planned
  const { limit, offset } = cell
  if (step === undefined) {
    const found = await readRows(planned, { skip: offset, through: offset + limit }, context)
    if (found.unknown !== undefined) context.warn(found.unknown)
    return found
  }
  const under = async (definitions: Step['before']) => {
    const session = await context.sessionUnder(definitions)
    const found = await readRows(planned, { skip: 0, through: max_rows }, { ...context, session })
    if (found.total > max_rows) throw tooLarge(found.total, max_rows)
    return found
  }
  const all = differenceOf(await under(step.before), await under(step.after), cell.request.unit)
  return { ...all, rows: all.rows.slice(offset, offset + limit) }
}

// All rows of a number are in one currency: the base currency, or that of the cell's group.
function currencyOf({ groups, request }: Cell, base: string): string {
  const group = groups.find(({ field }) => field.key === 'currency')
  return request.unit === 'base' ? base : String(group?.condition?.values[0] ?? base)
}

/**
 * The rows with their usage parts and the rows of the billing database that made them. An answer from the cache has none of the latter, so they
 * come from the replica, which may be newer: the record of an instant does not change.
 */
async function withEvidence<R extends FoundRow>(rows: readonly R[], context: RunContext): Promise<readonly R[]> {
  const parts = await usageParts(rows, context)
  const noted = rows.map((row, index) => ({ ...row, usage_note: parts[index]?.note ?? null }))
  const { evidence: find } = context.deps.connector
  if (find === undefined || rows.length === 0) return noted
  const { swap_window } = context.session.definitions
  const subjects = rows.map((row, index) => subjectOf(row, swap_window, parts[index]))
  const found = await onReplica(context, ({ snapshot, connector }) => find(snapshot, connector, subjects))
  return noted.map((row, index) => ({ ...row, evidence: [...(found[index] ?? [])] }))
}

function shownOf<R extends FoundRow>({ states: _, ...row }: R) {
  return row
}

/** The row with the page of its invoice or else of its customer. */
function withLink<R extends CountedRow>(row: R, { deps: { connector } }: RunContext): R {
  const { customer_id, subscription_id, document_id } = row
  const invoice = subscription_id === null && document_id !== null ? document_id : undefined
  return { ...row, admin_url: connector.customerUrl?.(customer_id, invoice) ?? null }
}

// A level has no instant: its state holds from `valid_from`.
function subjectOf({ occurred_at, valid_from, ...row }: FoundRow, swap_minutes: number, usage?: UsagePart): EvidenceSubject {
  const { customer_id, subscription_id, document_id, cancel_reason, currency, rate, rate_day } = row
  return {
    customer_id,
    subscription_id,
    document_id,
    at: occurred_at ?? valid_from,
    swap_minutes,
    cancel_reason,
    currency,
    rate,
    rate_day,
    usage: usage?.charges ?? [],
  }
}
