import { withoutControls } from '../../../core/text.ts'
import type { Goal, GoalImport } from '../../../engine/engine.ts'
import { numberText } from '../../presentation/cells.ts'
import { recordsText } from '../answer-text.ts'
import { type Command, optionValue, withEngine } from '../command.ts'
import { csvForm, withFile } from '../files.ts'
import { writeRecord, writeRecords } from '../output.ts'

const COLUMNS = [
  ...['id', 'metric', 'query_type', 'measure', 'label', 'filter', 'period', 'value', 'unit', 'currency'],
  ...['is_level', 'created_by', 'created_at', 'updated_at', 'warnings'],
]

const list: Command = {
  name: 'goals list',
  description: 'List goals by number and period',
  options: [],
  run: (invocation) =>
    withEngine(invocation, async ({ goals }) => {
      const { input, io } = invocation
      const found = await goals.list()
      const rows = found.map((goal) => ({ ...goal }))
      const shown = found.map(shownGoal)
      const columns = ['goal', 'filter', 'period', 'value', 'warnings', 'id'].filter((name) =>
        shown.some((row) => row[name] !== ''),
      )
      const text = rows.length === 0 ? '(no goals)\n' : recordsText(shown, columns, { bold: io.stdout.color === true })
      writeRecords({ json: found, rows, columns: COLUMNS, text }, input, io)
    }),
}

const set: Command = {
  name: 'goals set',
  description: 'Set the goal of a month or quarter',
  options: ['query-type', 'filter'],
  texts: {
    'query-type': { valueHint: 'name', description: 'Query type of the metric; default: its first one' },
    filter: { valueHint: 'key=value', description: 'Only the customers with this value; may be repeated' },
  },
  positionals: [
    { name: 'metric', description: 'A metric or a figure: mrr, arr, customers, logo_churn, nrr' },
    { name: 'period', description: 'A month such as 2026-10, or a quarter such as 2026-Q4' },
    { name: 'value', description: 'An amount in the base currency, a rate such as 5%, or a count' },
  ],
  examples: ['goals set mrr 2026-12 60000', 'goals set customers 2026-Q4 120', 'goals set logo_churn 2026-10 2.5%'],
  run: (invocation) =>
    withEngine(invocation, async ({ goals }) => {
      const { input, io } = invocation
      const [metric = '', period = '', value = ''] = input.positionals
      const query_type = optionValue(input, 'query-type')
      const filter = input.values.get('filter')
      const given = { ...(query_type !== undefined && { query_type }), ...(filter !== undefined && { filter }) }
      const goal = await goals.set({ metric, period, value, ...given })
      writeRecord(goal, goalLine(goal), input, io)
    }),
}

const importCommand: Command = {
  name: 'goals import',
  description: 'Set goals from a CSV file with the columns metric, period, value, and optionally query_type',
  options: ['dry-run', 'separator', 'encoding'],
  positionals: [{ name: 'csv', description: 'Path of the file' }],
  run: async (invocation) => {
    const { input, io } = invocation
    const options = { dry_run: input.flags.has('dry-run'), ...csvForm(input) }
    return withFile(input.positionals[0] ?? '', (file) =>
      withEngine(invocation, async ({ goals }) => {
        const result = await goals.import(file, options)
        writeRecord(result, importText(result, io.stdout.color === true), input, io)
      }),
    )
  },
}

const remove: Command = {
  name: 'goals remove',
  description: 'Remove a goal',
  options: [],
  positionals: [{ name: 'id', description: 'Id of the goal' }],
  run: (invocation) =>
    withEngine(invocation, async ({ goals }) => {
      await goals.delete(invocation.input.positionals[0] ?? '')
      writeRecord({ status: 'deleted' }, 'Removed\n', invocation.input, invocation.io)
    }),
}

/** Numbers to reach in months and quarters. */
export const GOALS_COMMAND: Command = {
  name: 'goals',
  description: 'Manage goals: numbers to reach in a month or quarter',
  options: [],
  subCommands: [list, set, importCommand, remove],
}

type Valued = Pick<Goal, 'value' | 'unit' | 'currency'>

/** The value with its currency. */
function valueText({ value, unit, currency }: Valued): string {
  return `${numberText(value, unit, currency ?? '')}${currency === null ? '' : ` ${currency}`}`
}

/** The number as `goals set` names it. */
function shownGoal({ filter, warnings, ...goal }: Goal): Readonly<Record<string, string>> {
  const { label, period, id } = goal
  const texts = { filter: filter.join(' '), warnings: warnings.join(' ') }
  return { goal: label, period, value: valueText(goal), id, ...texts }
}

function goalLine(goal: Goal): string {
  const { label, period, filter, id } = goal
  const narrowed = filter.length === 0 ? '' : ` (${withoutControls(filter.join(', '))})`
  return `${label}${narrowed}, ${period}: ${valueText(goal)}  ${id}\n`
}

function importText({ rows_read, dry_run, created, changed, unchanged, goals }: GoalImport, bold: boolean): string {
  const would = dry_run ? 'Nothing is written. The file would set ' : ''
  const counts = `${would}${created} new, ${changed} changed, ${unchanged} unchanged${dry_run ? '' : `, ${rows_read} rows read`}\n`
  const rows = goals.map((goal) => ({ goal: goal.label, period: goal.period, value: valueText(goal) }))
  return `${counts}${dry_run && rows.length > 0 ? recordsText(rows, ['goal', 'period', 'value'], { bold }) : ''}`
}
