import * as z from 'zod'
import { empty, type Fragment, ident, join, relation, sql } from '../compiler/fragment.ts'
import { InternalError } from '../core/errors.ts'
import type { PlannedQuery } from '../execution/plan/plan.ts'
import { type CountedRun, compileCounted, createContext, type RunContext } from '../execution/run.ts'
import type { TemplateRun } from '../metrics/define-metric.ts'
import { type CellContext, type Counted, carried, ROW_COLUMNS, type RowColumn, selectRows } from '../metrics/readings/counted.ts'
import { instantCell, integerCell } from '../ports/cells.ts'
import type { Row } from '../ports/rows.ts'
import type { QueryRequest } from '../query/request.ts'
import type { Warning } from '../query/warning.ts'
import type { Cell } from './cell.ts'
import { COUNTED_ROW, type CountedRow, countedRow, type FoundRow, type RowStates } from './rows.ts'
import { unknownGroups } from './unknown-groups.ts'

/** The planned query of a number, and the cell of its answer. */
export interface PlannedRows {
  readonly planned: PlannedQuery
  readonly cell: Cell
}

/** The rows of a page, without evidence, and the totals over all rows. */
export interface ReadRows {
  readonly total: number
  readonly sum: number
  readonly kind: Counted['kind']
  readonly rows: readonly FoundRow[]
  /** The warning of a number without rows whose answer does not have the group. */
  readonly unknown?: Warning | undefined
}

/** Rows after `skip`, up to `through`. */
interface Page {
  readonly skip: number
  readonly through: number
}

type Window = TemplateRun['window']

/** Reads the rows of a number from `skip` to `through`. The number itself is read too: it refuses missing prices and rates, or warns of them. */
export async function readRows({ planned, cell }: PlannedRows, page: Page, context: RunContext): Promise<ReadRows> {
  for (const warning of planned.warnings) context.warn(warning)
  const { definition, query } = planned
  const result = await query.run(createContext({ definition, request: cell.request }, context))
  const owner = createContext({ definition, request: cell.counted }, context)
  const counted = cell.count({ ...owner, groups: cell.groups, keys: cell.keys } satisfies CellContext)
  const window = windowOf(counted, cell)
  const read = (wanted: Page) => readCounted(counted, wanted, { window, request: cell.counted }, context)
  const found = await read(page)
  const totals = found.length > 0 || page.skip === 0 ? found : await read({ skip: 0, through: 1 })
  const unknown = totals.length === 0 ? unknownGroups(cell.groups, result) : undefined
  return { ...totalsOf(totals), kind: counted.kind, rows: write(found, counted, { cell, end: window.to }, context), unknown }
}

/** The window of the rows and of their states, on the clock. It ends with the question, so that an earlier end of a state is known. */
function windowOf({ parts }: Counted, { request: { time } }: Cell): Window {
  const { from, to } = hull(parts.map(({ run }) => run.window))
  const end = time.kind === 'point' ? time.before : time.to
  return { from, to: to > end ? to : end }
}

function totalsOf([first]: readonly Row[]) {
  if (first === undefined) return { total: 0, sum: 0 }
  return { total: integerCell(first, 'total_count'), sum: integerCell(first, 'total_amount') }
}

function write(
  found: readonly Row[],
  { kind }: Counted,
  { cell: { request }, end: endOnClock }: { readonly cell: Cell; readonly end: Date },
  { session }: RunContext,
): readonly FoundRow[] {
  const { base_currency } = session.definitions
  const end = session.calendar.instantOf(endOnClock).toISOString()
  const ordered = [...found].sort((a, b) => integerCell(a, 'nth') - integerCell(b, 'nth'))
  const rows = ordered.map((found) => {
    const row = countedRow(found, kind, request.unit, base_currency)
    // The database leaves out what comes after the question, and the cache holds it. Both answer as of the question's end.
    return row.valid_to !== null && row.valid_to >= end ? { ...row, valid_to: null } : row
  })
  const checked = z.array(COUNTED_ROW).safeParse(rows)
  if (!checked.success) throw new InternalError(`the rows behind a number do not match their schema: ${checked.error.message}`)
  return rows.map((row, index) => ({ ...row, states: statesOf(row, ordered[index] ?? {}) }))
}

function statesOf({ usage_mrr_before_cents, usage_mrr_after_cents }: CountedRow, found: Row): RowStates {
  const at = (column: string) => (column in found ? instantCell(found, column) : null)
  return {
    before_at: at('before_at'),
    after_at: at('after_at'),
    usage_before: usage_mrr_before_cents,
    usage_after: usage_mrr_after_cents,
  }
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
  page: Page,
  { window, request }: { readonly window: Window; readonly request: QueryRequest },
  context: RunContext,
): Promise<readonly Row[]> {
  const { parts } = counted
  const named = parts.map((part, index) => [`counted_${index + 1}`, part] as const)
  const runs = parts.map(({ run }) => run)
  const hasStates = parts.some(({ fact, measure }) => 'after_at' in { ...fact, ...measure })
  // Some numbers leave the usage part out of their spans. A state has it: its MRR and its end depend on it (D28).
  const { usage_in_mrr, ...params }: TemplateRun['params'] = Object.assign({}, ...runs.map((run) => run.params))
  const run: CountedRun = {
    template: hasStates ? 'evidence/subscriptions' : 'evidence/customers',
    slots: NO_SLOTS,
    params: { ...params, ...(!hasStates && usage_in_mrr !== undefined && { usage_in_mrr }), ...page },
    window,
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
  const selected = parts.map((name) => sql`select ${ident(name)}.* from ${relation(name)} as ${ident(name)}`)
  // MySQL counts each nested select, and refuses more than 63.
  const [only] = parts.length === 1 ? parts : []
  const all = only === undefined ? sql`(${join(selected, sql` union all `)})` : relation(only)
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
from ${all} as part
group by ${keys}
having ${total} <> 0
)`
}

function hull(windows: readonly Window[]): Window {
  const [first, ...others] = windows
  if (first === undefined) throw new InternalError('a number without rows of its own')
  return others.reduce(
    (hulled, { from, to }) => ({ from: from < hulled.from ? from : hulled.from, to: to > hulled.to ? to : hulled.to }),
    first,
  )
}
