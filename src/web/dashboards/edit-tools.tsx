import { client } from '../api/client.ts'
import { ChoiceMenu } from '../controls/choice-menu.tsx'
import { ConfirmButton } from '../parts/confirm-button.tsx'
import { NameDialog } from '../parts/name-dialog.tsx'
import { Problem } from '../parts/problem.tsx'
import { type Dashboard, useChange, useSavedCharts } from './resources.ts'

interface SectionToolsProps {
  readonly dashboard: Dashboard
  readonly section: Dashboard['sections'][number]
  readonly onMove: (by: 1 | -1) => void
}

/** Adds a chart to a section; renames, moves and deletes the section. */
export function SectionTools({ dashboard, section, onMove }: SectionToolsProps) {
  const { data: charts = [] } = useSavedCharts()
  const path = { id: dashboard.id, sid: section.id }
  const placed = new Set(dashboard.sections.flatMap((one) => one.charts.map(({ saved_chart_id }) => saved_chart_id)))
  // A dashboard takes charts of its owner only.
  const left = dashboard.is_own ? charts.filter(({ id }) => !placed.has(id)) : []
  const add = useChange((chart: string) =>
    client.post('/api/dashboards/{id}/charts', {
      path: { id: dashboard.id },
      body: {
        saved_chart_id: chart,
        section_id: section.id,
        position: Math.max(-1, ...section.charts.map(({ position }) => position)) + 1,
      },
    }),
  )
  const rename = useChange((title: string) => client.put('/api/dashboards/{id}/sections/{sid}', { path, body: { title } }))
  const remove = useChange(() => client.delete('/api/dashboards/{id}/sections/{sid}', { path }))
  const error = add.error ?? remove.error
  // The button of the first or last section is only marked as disabled. A disabled button would lose the focus, and the next key
  // would press another button.
  const isFirst = dashboard.sections[0]?.id === section.id
  const isLast = dashboard.sections.at(-1)?.id === section.id
  return (
    <>
      <div className="form-buttons">
        {left.length > 0 && (
          <ChoiceMenu
            label="Add chart"
            value=""
            choices={left.map(({ id, name }) => ({ value: id, label: name }))}
            onChoose={(chart) => add.mutate(chart)}
          />
        )}
        <button
          type="button"
          className="button"
          aria-label={`Move section ${section.title} up`}
          aria-disabled={isFirst}
          onClick={() => !isFirst && onMove(-1)}
        >
          ↑
        </button>
        <button
          type="button"
          className="button"
          aria-label={`Move section ${section.title} down`}
          aria-disabled={isLast}
          onClick={() => !isLast && onMove(1)}
        >
          ↓
        </button>
        <NameDialog
          label="Rename section"
          title="Rename section"
          action="Rename"
          field="Title"
          value={section.title}
          onSave={(title) => rename.mutateAsync(title)}
        />
        <ConfirmButton
          label="Delete section"
          title={`Delete “${section.title}”?`}
          consequence="This removes its charts from the dashboard. The charts stay saved."
          isBusy={remove.isPending}
          onConfirm={() => remove.mutate()}
        />
      </div>
      {error !== null && <Problem error={error} />}
    </>
  )
}

interface OfChart {
  readonly chart: { readonly id: string; readonly name: string }
}

/** Renames a saved chart on all dashboards. */
export function RenameChart({ chart }: OfChart) {
  const rename = useChange((name: string) => client.put('/api/charts/{id}', { path: { id: chart.id }, body: { name } }))
  return (
    <NameDialog
      label="Rename"
      title={`Rename “${chart.name}”`}
      action="Rename"
      value={chart.name}
      onSave={(name) => rename.mutateAsync(name)}
    />
  )
}

/** Deletes a saved chart after confirmation. */
export function DeleteChart({ chart }: OfChart) {
  const remove = useChange(() => client.delete('/api/charts/{id}', { path: { id: chart.id } }))
  return (
    <>
      <ConfirmButton
        label="Delete"
        title={`Delete “${chart.name}”?`}
        consequence="This removes the chart from every dashboard. You can’t undo this. The underlying data doesn’t change."
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate()}
      />
      {remove.error !== null && <Problem error={remove.error} />}
    </>
  )
}
