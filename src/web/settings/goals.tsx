import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { type components, PlumblineError } from '../../client/index.ts'
import { client } from '../api/client.ts'
import { useHasScope } from '../auth/who.ts'
import { useNow } from '../controls/use-page.ts'
import { formatValue } from '../format/numbers.ts'
import { FIGURES } from '../pages/explore-figures.ts'
import { ConfirmButton } from '../parts/confirm-button.tsx'
import { Problem } from '../parts/problem.tsx'
import { Empty, Skeleton } from '../parts/states.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { formatGoalPeriod } from '../remarks/remarks.ts'
import { type Goal, useGoals } from '../remarks/use-remarks.ts'
import { CsvImport, FirstRows } from './csv-import.tsx'
import type { CsvPreview } from './csv-preview.ts'
import { Section } from './section.tsx'

const HEIGHT = 120
const PERIOD = '(19|20)[0-9]{2}-(0[1-9]|1[0-2]|Q[1-4])'

/** Goals of months and quarters: list, form, import. */
export function GoalsCard() {
  const mayWrite = useHasScope('write')
  const [form, setForm] = useState<'new' | 'import'>()
  const answer = useGoals()
  const goals = answer.data ?? []
  // Without a Plumbline database there are no goals, and the status card says so.
  if (answer.error instanceof PlumblineError && answer.error.code === 'unsupported_by_connector') return null
  return (
    <Section
      id="goals"
      title="Goals"
      lead="Numbers to reach in a month or quarter. Charts, tiles and briefings show them."
      tools={
        mayWrite && (
          <span className="form-buttons">
            <button
              type="button"
              className="button"
              aria-expanded={form === 'import'}
              onClick={() => setForm(form === 'import' ? undefined : 'import')}
            >
              Import CSV
            </button>
            <button
              type="button"
              className="button"
              aria-expanded={form === 'new'}
              onClick={() => setForm(form === 'new' ? undefined : 'new')}
            >
              New goal
            </button>
          </span>
        )
      }
    >
      {form === 'import' && <GoalImport onClose={() => setForm(undefined)} />}
      {form === 'new' && <GoalForm onClose={() => setForm(undefined)} />}
      {answer.error !== null && <Problem error={answer.error} onRetry={() => void answer.refetch()} />}
      {answer.isPending && <Skeleton height={HEIGHT} />}
      {answer.data !== undefined &&
        (goals.length === 0 ? <Empty>No goals yet.</Empty> : <GoalTable goals={goals} mayWrite={mayWrite} />)}
    </Section>
  )
}

function GoalTable({ goals, mayWrite }: { goals: readonly Goal[]; mayWrite: boolean }) {
  const queries = useQueryClient()
  const remove = useMutation({
    mutationFn: async (id: string) => void (await client.delete('/api/goals/{id}', { path: { id } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['goals'] }),
  })
  const byId = new Map(goals.map((goal) => [goal.id, goal]))
  const goalIn = (row: Readonly<Record<string, unknown>>) => byId.get(String(row['id']))
  const columns: Column[] = [
    { key: 'label', label: 'Goal' },
    { key: 'customers', label: 'Customers' },
    { key: 'period', label: 'Period', render: (row) => formatGoalPeriod(String(row['period'])) },
    { key: 'value', label: 'Value', isNumber: true, totals: false, render: (row) => valueText(goalIn(row)) },
    { key: 'warning', label: 'Note' },
    {
      key: 'actions',
      label: 'Actions',
      render: (row) => {
        const goal = goalIn(row)
        if (goal === undefined || !mayWrite) return ''
        return (
          <ConfirmButton
            label="Delete"
            title={`Delete the goal of ${formatGoalPeriod(goal.period)} for ${goal.label}?`}
            consequence="Charts, tiles and briefings then no longer show it. This can’t be undone."
            isBusy={remove.isPending}
            onConfirm={() => remove.mutate(goal.id)}
          />
        )
      },
    },
  ]
  const rows = goals.map(({ id, label, filter, period, value, warnings }) => ({
    ...{ id, label, period, value },
    customers: filter.length === 0 ? 'All' : filter.join(', '),
    warning: warnings.join(' '),
  }))
  const isShown = ({ key }: Column) =>
    (key !== 'actions' || mayWrite) && (key !== 'warning' || rows.some(({ warning }) => warning !== ''))
  return (
    <>
      {remove.error !== null && <Problem error={remove.error} />}
      <Table caption="Goals" stacks columns={columns.filter(isShown)} rows={rows} currency="" />
    </>
  )
}

function valueText(goal: Pick<Goal, 'value' | 'unit' | 'currency'> | undefined): string {
  return goal === undefined ? '' : formatValue(goal.value, goal.unit, { currency: goal.currency ?? '', precise: true })
}

/** Figures that have one number in a period. */
const OFFERED = FIGURES.filter(({ id }) => id !== 'movements')

/** Sets a goal. The value is written as in a file: an amount in units, a rate with a percent sign. */
function GoalForm({ onClose }: { onClose: () => void }) {
  const { currency } = useNow()
  const queries = useQueryClient()
  const save = useMutation({
    mutationFn: async ({
      metric,
      query_type,
      period,
      value,
    }: Readonly<Record<'metric' | 'query_type' | 'period' | 'value', string>>) => {
      // A file of one row: the service reads the value in the unit of the number.
      const body = new FormData()
      const cell = (text: string) => `"${text.replaceAll('"', '""')}"`
      const row = [metric, period, value, query_type].map(cell).join(',')
      body.set('file', new Blob([`metric,period,value,query_type\n${row}\n`], { type: 'text/csv' }), 'goal.csv')
      await client.post('/api/goals/import', { body })
    },
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['goals'] })
      onClose()
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const text = (name: string) => String(form.get(name) ?? '').trim()
    const figure = OFFERED.find(({ id }) => id === text('figure'))
    if (figure === undefined) return
    // A measure names a figure that is not the only one of its query, such as paying customers.
    const isPlain = figure.total.alone === undefined && figure.total.isGrouped !== true
    const named = isPlain ? { metric: figure.metric, query_type: figure.inputs } : { metric: figure.measure, query_type: '' }
    save.mutate({ ...named, period: text('period'), value: text('value') })
  }
  return (
    <form className="settings-form" aria-label="New goal" onSubmit={submit}>
      <div className="settings-fields">
        <label className="field">
          Number
          <select name="figure" className="input">
            {OFFERED.map(({ id, label }) => (
              <option key={id} value={id}>
                {label}
              </option>
            ))}
          </select>
        </label>
        <label className="field">
          Month or quarter
          <input
            name="period"
            className="input"
            required
            pattern={PERIOD}
            placeholder="2026-12 or 2026-Q4"
            title="2026-12 or 2026-Q4"
          />
        </label>
        <label className="field">
          Value
          <input name="value" className="input" required placeholder={`60000 ${currency}, 2.5% or 120`} />
        </label>
      </div>
      <div className="form-buttons">
        <button type="submit" className="button is-main" disabled={save.isPending}>
          Save
        </button>
        <button type="button" className="button" onClick={onClose}>
          Cancel
        </button>
      </div>
      {save.error !== null && <Problem error={save.error} />}
    </form>
  )
}

type Result = components['schemas']['GoalImport']
const FILE_COLUMNS = ['metric', 'period', 'value']

function GoalImport({ onClose }: { onClose: () => void }) {
  return (
    <CsvImport
      title="Import goals"
      asks="CSV file with the columns metric, period and value, and optionally query_type"
      send={async (upload, body) => (await upload.post('/api/goals/import', { body })).data}
      beginning={(preview) => preview !== 'archive' && <Beginning preview={preview} />}
      report={(result) => <Report result={result} />}
      onClose={onClose}
    />
  )
}

function Beginning({ preview }: { preview: CsvPreview }) {
  const missing = FILE_COLUMNS.filter((name) => !preview.header.some((cell) => cell.trim() === name))
  return (
    <>
      {missing.length > 0 && (
        <p className="field-error">Missing columns: {missing.join(', ')}. The import will reject this file.</p>
      )}
      <p className="muted">First {preview.rows.length} rows. A goal replaces that of the same number and period.</p>
      <FirstRows preview={preview} />
    </>
  )
}

function Report({ result: { created, changed, unchanged } }: { result: Result }) {
  return (
    <p className="notice" role="status">
      {created} new, {changed} changed, {unchanged} unchanged.
    </p>
  )
}
