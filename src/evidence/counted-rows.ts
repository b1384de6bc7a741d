import { empty, type Fragment, ident, join, relation, sql } from '../compiler/fragment.ts'
import { InternalError } from '../core/errors.ts'
import { type CountedRun, compileCounted, type RunContext } from '../execution/run.ts'
import { type Counted, carried, ROW_COLUMNS, type RowColumn, selectRows } from '../metrics/readings/counted.ts'
import type { Row } from '../ports/rows.ts'
import type { QueryRequest } from '../query/request.ts'

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
export async function readCounted(
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
