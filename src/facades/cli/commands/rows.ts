import { isObject } from '../../../core/json.ts'
import type { Answer, MetricDefinition } from '../../../engine/engine.ts'
import { cellText } from '../../presentation/cells.ts'
import { ROWS_PARAMETERS } from '../../presentation/parameters.ts'
import { unitsOfColumns } from '../../presentation/table.ts'
import { recordsText } from '../answer-text.ts'
import { type Command, type CommandInput, type Invocation, optionValue } from '../command.ts'
import { queryOptionsOf, STEP_OPTION_TEXTS } from '../options.ts'
import { ANY_USUAL_DAYS, isAboutMonth, queryDays } from '../usual-days.ts'
import { answerQuestion } from './question.ts'

/** Columns of the text table that no row fills are left out. JSON and CSV have all columns. */
const COLUMNS = [
  'customer_name',
  'plan_id',
  'movement_type',
  'occurred_at',
  'reason',
  'cancel_reason',
  'document_id',
  'quantity_before',
  'quantity_after',
  'currency',
  'amount_cents',
  'rate',
  'amount_base_cents',
  'rate_part_base_cents',
  'before',
  'after',
  'difference',
  'subscription_id',
  'admin_url',
]

/** The rows behind one number of a metric, with the options of the metric. */
export function rowsCommand(metrics: readonly MetricDefinition[]): Command {
  const names = metrics.map(({ name }) => name.replaceAll('_', '-'))
  return {
    name: 'rows',
    description: 'List the rows behind one number of a metric, the largest first',
    positionals: [{ name: 'metric', description: 'Name of the metric', values: names }],
    options: [...queryOptionsOf(ROWS_PARAMETERS), ...STEP_OPTIONS],
    texts: STEP_OPTION_TEXTS,
    examples: [
      'rows mrr',
      'rows mrr --query-type breakdown --last 12m --movement-type churn',
      'rows mrr --from plumbline --to default --bridge-step mrr_usage',
      'rows churn --start 2026-01-01 --end 2026-06-30 --measure churn_count --format csv -o lost.csv',
    ],
    dates: ANY_USUAL_DAYS,
    run: (invocation) => answerRows(metrics, invocation),
  }
}

/** Options that name a step of a bridge, with their parameters. */
const STEP_OPTIONS = ['from', 'to', 'bridge-step'] as const

function stepOf(input: CommandInput): Readonly<Record<string, string>> {
  return Object.fromEntries(
    STEP_OPTIONS.flatMap((name) => {
      const given = optionValue(input, name)
      return given === undefined ? [] : [[name.replace('-', '_'), given]]
    }),
  )
}

function answerRows(metrics: readonly MetricDefinition[], invocation: Invocation): Promise<number> {
  const { input } = invocation
  const metric = (input.positionals[0] ?? '').replaceAll('-', '_')
  const definition = metrics.find(({ name }) => name === metric)
  // A month has no days to add, also none to refuse.
  const isMonth = definition !== undefined && isAboutMonth(definition, input)
  const isWhole = ['csv', 'xlsx'].includes(optionValue(input, 'format') ?? '')
  return answerQuestion(
    {
      operation: (engine) => (params, spec, settings) =>
        engine.metricRows(metric, { ...params, ...stepOf(input) }, spec, { ...settings, isWhole }),
      command: `rows ${metric}`,
      metric,
      isMonth,
      ...(definition === undefined || isMonth ? {} : { days: () => queryDays(definition, input) }),
      text: rowsText,
    },
    invocation,
  )
}

/** The number, then its rows. A last line says which rows of how many it shows. */
function rowsText(answer: Answer, bold: boolean, width: number | undefined): string {
  const page = isObject(answer.data) ? answer.data : {}
  const rows: readonly Readonly<Record<string, unknown>>[] = Array.isArray(page['rows']) ? page['rows'] : []
  const currency = answer.meta.base_currency
  const isMoney = rows.some((row) => row['amount_cents'] !== null || row['amount_base_cents'] !== null)
  const name = isMoney ? 'amount_base_cents' : 'count'
  const units = unitsOfColumns(answer)
  const own = rows.every((row) => row['amount_base_cents'] === null) ? rows[0]?.['currency'] : undefined
  const unit = typeof own === 'string' ? own : currency
  const sum = cellText(Number(page['sum']), name, { units, currency: unit })
  // The figures before and after a step say more than one amount.
  const isOfStep = rows.some((row) => row['difference'] !== undefined)
  const columns = isOfStep ? COLUMNS.filter((column) => column !== 'amount_base_cents') : COLUMNS
  const isSaid = (column: string, value: unknown) =>
    value !== null && value !== undefined && (column !== 'rate_part_base_cents' || value !== 0)
  const shown = columns.filter((column) => rows.some((row) => isSaid(column, row[column])))
  const table = rows.length === 0 ? '' : recordsText(rows, shown, { units, currency, bold, width })
  const last = Number(page['offset']) + rows.length
  const total = Number(page['total'])
  const pages = rows.length === 0 || rows.length === total ? '' : `${last - rows.length + 1} to ${last} of ${total}\n`
  return `${String(page['measure'])}: ${isMoney ? `${sum} ${unit}` : sum}, ${total} ${total === 1 ? 'row' : 'rows'}\n${table}${pages}`
}
