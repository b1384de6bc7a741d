import { client } from '../api/client.ts'
import { Problem } from '../parts/problem.tsx'
import { DeleteChart, RenameChart } from './chart-buttons.tsx'
import { MoveHandle, type Under } from './move-handle.tsx'
import { type Dashboard, useChange } from './resources.ts'
import { SavedChart } from './saved-chart.tsx'

interface PlacedChartProps {
  readonly board: string
  readonly placed: Dashboard['sections'][number]['charts'][number]
  readonly isArranged: boolean
  readonly isTarget: boolean
  readonly onStep: (by: 1 | -1) => void
  readonly onDrag: (under: Under | undefined) => void
  readonly onDrop: (under: Under | undefined) => void
}

/** The element by which a chart is moved. */
export function handleId(place: string): string {
  return `move-${place}`
}

/** A chart on a dashboard; while that is arranged, with what moves, renames and removes it. */
export function PlacedChart({ board, placed, isArranged, isTarget, onStep, onDrag, onDrop }: PlacedChartProps) {
  const { id, saved_chart_id, chart } = placed
  const remove = useChange(() => client.delete('/api/dashboards/{id}/charts/{cid}', { path: { id: board, cid: id } }))
  return (
    <li className={isTarget ? 'placed is-target' : 'placed'} data-place={id}>
      {isArranged && (
        <fieldset className="placed-tools" aria-label={`Edit ${chart.name}`}>
          <MoveHandle id={handleId(id)} name={chart.name} onStep={onStep} onDrag={onDrag} onDrop={onDrop} />
          <RenameChart chart={{ id: saved_chart_id, name: chart.name }} />
          <button type="button" className="button" disabled={remove.isPending} onClick={() => remove.mutate()}>
            Remove
          </button>
          <DeleteChart chart={{ id: saved_chart_id, name: chart.name }} />
        </fieldset>
      )}
      {remove.error !== null && <Problem error={remove.error} />}
      <SavedChart name={chart.name} config={chart.config} />
    </li>
  )
}
