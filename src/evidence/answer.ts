import * as z from 'zod'
import { empty, type Fragment, ident, join, relation, sql } from '../compiler/fragment.ts'
import type { EvidenceSubject, FindEvidence } from '../connector-kit/evidence.ts'
import { unitsOf } from '../core/currency.ts'
import { InternalError } from '../core/errors.ts'
import { setNamed } from '../definitions/sets.ts'
import { shapeRecords } from '../execution/answer/describe-columns.ts'
import type { Question } from '../execution/pipeline.ts'
import type { PlannedQuery, Planner } from '../execution/plan/plan.ts'
import { type CountedRun, compileCounted, createContext, type RunContext } from '../execution/run.ts'
import { openSession } from '../execution/session/session.ts'
import { isBuiltIn } from '../metrics/built-in.ts'
import { type CellContext, type Counted, carried, ROW_COLUMNS, type RowColumn, selectRows } from '../metrics/readings/counted.ts'
import { tooLarge } from '../metrics/readings/groups.ts'
import { integerCell } from '../ports/cells.ts'
import type { Row } from '../ports/rows.ts'
import { namedIn } from '../query/audience-request.ts'
import type { Raw } from '../query/raw-parameters.ts'
import type { QueryRequest } from '../query/request.ts'
import { type Cell, readCell, splitCell } from './cell.ts'
import { COUNTED_ROW, type CountedRow, countedRow } from './rows.ts'

/** A page of the rows behind a number. */
interface RowsPage {
  readonly total: number
  readonly limit: number
  readonly offset: number
  readonly measure: string
  /** The sum over all rows, whatever page is shown: the number itself. */
  readonly sum: number
  readonly rows: readonly CountedRow[]
}

/** A page, and whether it counts or adds cents. */
interface FoundRows {
  readonly page: RowsPage
  readonly kind: Counted['kind']
}

interface PlannedRows {
  readonly planned: PlannedQuery
  readonly cell: Cell
}

/** Rows of a page by default. */
const DEFAULT_ROWS = 100
/** Most rows of a page. */
const MOST_ROWS = 1_000

/** The rows behind one number of a query (http-api.md 15). With `isWhole` and without a limit, they are all rows. */
export function rowsQuestion(
  metric: string,
  params: Raw,
  spec: Raw,
  { planner, isWhole, max_rows }: { readonly planner: Planner; readonly isWhole: boolean; readonly max_rows: number },
): Question<PlannedRows, FoundRows> {
  const draft = splitCell(planner.listed(metric), params, spec)
  const most = isWhole ? max_rows : MOST_ROWS
  const usual = isWhole ? max_rows : DEFAULT_ROWS
  const plan: Question<PlannedRows, FoundRows>['plan'] = (now, names) => {
    const planned = planner.plan(metric, draft.params, draft.spec, now, names)
    return { planned, cell: readCell(planned, draft, names !== undefined, { most, usual }) }
  }
  return {
    key: [`rows ${metric}`, params, spec, isWhole],
    isForeign: !isBuiltIn(metric),
    set: setNamed(params),
    named: namedIn(draft.params, draft.spec),
    plan,
    planAt: (_, now) => plan(now),
    takesAttributes: () => true,
    audience: ({ cell }) => cell.request.audience,
    async run(plan, context) {
      const found = await readRows(plan, context, isWhole)
      const { total, limit } = found.page
      if (isWhole && total > limit && draft.own['limit'] === undefined) throw tooLarge(total, max_rows)
      return found
    },
    shape({ page, kind }, { cell }, { session }) {
      const base = session.definitions.base_currency
      const sum = cell.request.money === 'units' && kind === 'cents' ? unitsOf(page.sum, currencyOf(cell, base)) : page.sum
      const shaped = shapeRecords({ data: page, kind: 'page' }, COUNTED_ROW, cell.request, base)
      const columns = isWhole ? shaped.columns.filter((column) => column !== 'evidence') : shaped.columns
      return { ...shaped, columns, data: { ...(shaped.data as RowsPage), sum } }
    },
  }
}

// All rows of a number are in one currency: the base currency, or that of the cell's group.
function currencyOf({ groups, request }: Cell, base: string): string {
  const group = groups.find(({ field }) => field.key === 'currency')
  return request.unit === 'base' ? base : String(group?.condition?.values[0] ?? base)
}

async function readRows({ planned, cell }: PlannedRows, context: RunContext, isWhole: boolean): Promise<FoundRows> {
  for (const warning of planned.warnings) context.warn(warning)
  const { request, measure, limit, offset } = cell
  const { definition, query } = planned
  // The number itself: it refuses missing prices and rates, or warns of them.
  await query.run(createContext({ definition, request }, context))
  const owner = createContext({ definition, request: cell.counted }, context)
  const counted = cell.count({ ...owner, groups: cell.groups, keys: cell.keys } satisfies CellContext)
  const found = await readCounted(counted, { skip: offset, through: offset + limit }, cell.counted, context)
  const totals =
    found.length > 0 || offset === 0 ? found : await readCounted(counted, { skip: 0, through: 1 }, cell.counted, context)
  const { total, sum } = totalsOf(totals)
  const written = write(found, counted, cell, context)
  const rows = isWhole ? written : await withEvidence(written, context)
  return { page: { total, limit, offset, measure, sum, rows }, kind: counted.kind }
}

function totalsOf([first]: readonly Row[]) {
  if (first === undefined) return { total: 0, sum: 0 }
  return { total: integerCell(first, 'total_count'), sum: integerCell(first, 'total_amount') }
}

function write(found: readonly Row[], { kind }: Counted, { request }: Cell, { session }: RunContext): readonly CountedRow[] {
  const { base_currency } = session.definitions
  const rows = [...found]
    .sort((a, b) => integerCell(a, 'nth') - integerCell(b, 'nth'))
    .map((row) => countedRow(row, kind, request.unit, base_currency))
  const checked = z.array(COUNTED_ROW).safeParse(rows)
  if (!checked.success) throw new InternalError(`the rows behind a number do not match their schema: ${checked.error.message}`)
  return rows
}

/**
 * The rows with the rows of the billing database that made them. An answer from the cache has none of these, so they come from the replica,
 * which may be newer: the record of an instant does not change.
 */
async function withEvidence(rows: readonly CountedRow[], context: RunContext): Promise<readonly CountedRow[]> {
  const { deps, session, source } = context
  const { evidence: find } = deps.connector
  if (find === undefined || rows.length === 0) return rows
  const subjects = rows.map(subjectOf)
  const found: Awaited<ReturnType<FindEvidence>> =
    source === 'replica'
      ? await find(session.snapshot, session.connector, subjects)
      : await deps.executor.withSnapshot(async (snapshot) => {
          const { connector } = await openSession(deps, snapshot, session.now)
          return find(snapshot, connector, subjects)
        })
  return rows.map((row, index) => ({ ...row, evidence: [...(found[index] ?? [])] }))
}

// A level has no instant: its state holds from `valid_from`.
function subjectOf({ customer_id, subscription_id, document_id, occurred_at, valid_from }: CountedRow): EvidenceSubject {
  return { customer_id, subscription_id, document_id, at: occurred_at ?? valid_from }
}

/** Columns that tell rows apart. */
const IDENTITY: readonly RowColumn[] = [
  'customer_key',
  'subscription_id',
  'occurred_at',
  'movement_type',
  'movement_source',
  'document_id',
]
const AMOUNTS: readonly RowColumn[] = ['amount', 'amount_cents']

const NO_SLOTS = { dimensions: empty, dimension_names: empty, joins: empty, filters: empty, group_by: empty }

/** Reads the rows of a number from `skip` to `through`, with the totals of all rows. */
async function readCounted(
  counted: Counted,
  page: { readonly skip: number; readonly through: number },
  request: QueryRequest,
  context: RunContext,
): Promise<readonly Row[]> {
  const { parts } = counted
  const named = parts.map((part, index) => [`counted_${index + 1}`, part] as const)
  const runs = parts.map(({ run }) => run)
  const hasStates = parts.some(({ fact, measure }) => 'after_at' in { ...fact, ...measure })
  const run: CountedRun = {
    template: hasStates ? 'evidence/subscriptions' : 'evidence/customers',
    slots: NO_SLOTS,
    params: { ...Object.assign({}, ...runs.map(({ params }) => params)), ...page },
    window: hull(runs.map(({ window }) => window)),
    inline: runs.flatMap(({ inline = [] }) => inline),
    built: new Map([
      ...runs.flatMap(({ built = [] }) => [...built]),
      [
        'counted',
        rowsOf(
          named.map(([name]) => name),
          counted.total,
        ),
      ],
    ]),
    parts: new Map(named.map(([name, part]) => [name, { run: part.run, carried: carried(part), ending: selectRows(part) }])),
  }
  return context.run(await compileCounted(run, request, context))
}

/** The rows of all parts: parts with equal keys are one row. Rows that add nothing are left out. */
function rowsOf(parts: readonly string[], total: Fragment): Fragment {
  const all = join(
    parts.map((name) => sql`select ${ident(name)}.* from ${relation(name)} as ${ident(name)}`),
    sql` union all `,
  )
  const keys = join(
    IDENTITY.map((name) => ident(name)),
    sql`, `,
  )
  const others = (Object.keys(ROW_COLUMNS) as RowColumn[]).filter((name) => ![...IDENTITY, ...AMOUNTS].includes(name))
  const values = join(
    others.map((name) => sql`max(${ident(name)}) as ${ident(name)}`),
    sql`, `,
  )
  return sql`(
select ${keys}, ${values}, ${total} as amount, sum(amount_cents) as amount_cents
from (${all}) as part
group by ${keys}
having ${total} <> 0
)`
}

function hull(windows: readonly { readonly from: Date; readonly to: Date }[]) {
  const [first, ...others] = windows
  if (first === undefined) throw new InternalError('a number without rows of its own')
  return others.reduce(
    (hulled, { from, to }) => ({ from: from < hulled.from ? from : hulled.from, to: to > hulled.to ? to : hulled.to }),
    first,
  )
}
