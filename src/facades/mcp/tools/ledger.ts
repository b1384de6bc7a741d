import type { Engine } from '../../../engine/engine.ts'
import { argumentsOf } from '../arguments.ts'
import { defineTool, type Tool } from '../tool.ts'
import { answered } from './answered.ts'

/** A statement of the ledger as a tool. Its arguments are those of the query. */
interface Statement {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly query_type: string
}

const METRIC = 'ledger'

const STATEMENTS: readonly Statement[] = [
  {
    name: 'ledger_revenue',
    title: 'Recognized and deferred revenue',
    description:
      'Roll-forward of deferred revenue, one row per period: opening balance, billed, adjusted, recognized, closing balance, and what is recognized ' +
      'but not billed. Needs `range`, or `start` and `end`.',
    query_type: 'revenue',
  },
  {
    name: 'receivables',
    title: 'Receivables by age',
    description:
      'Open balances of invoices by days past due, at the end of `at` (default: today). A past day uses nothing that came after it. ' +
      'With `dimensions: customer_name` and `order: -balance`, who owes most.',
    query_type: 'receivables',
  },
  {
    name: 'trial_balance',
    title: 'Trial balance',
    description:
      'Debit and credit of each account, at the end of `at` (default: today), or of a range that ends then. The sides have equal sums.',
    query_type: 'trial_balance',
  },
]

/** The statements of the books that people ask for most. `query_metric` has all of them. */
export function ledgerTools(engine: Pick<Engine, 'metrics' | 'metric'>): readonly Tool[] {
  if (!engine.metrics().includes(METRIC)) return []
  const routes = engine.metric(METRIC)?.routes ?? []
  return STATEMENTS.map(({ query_type, ...texts }) =>
    defineTool({
      ...texts,
      own: {},
      parameters: argumentsOf(routes.find((route) => route.query_type === query_type)?.params ?? []),
      run: ({ request, ...call }) => {
        const asked = { ...call, request: { ...request, params: { ...request.params, query_type } } }
        return answered(asked, (params, spec, options) => call.engine.query(METRIC, params, spec, options), METRIC, texts.title)
      },
    }),
  )
}
