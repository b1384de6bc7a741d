import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import type { components } from '../../client/index.ts'
import { client } from '../api/client.ts'
import { Problem } from '../parts/problem.tsx'
import { Empty } from '../parts/states.tsx'
import { DeleteChart, RenameChart, SectionTools } from './edit-tools.tsx'
import { ALL, type Dashboard, dashboardKey, useChange } from './resources.ts'
import { SavedChart } from './saved-chart.tsx'

/** Sections of a dashboard with their charts. In edit mode the user can move the charts. */
export function DashboardGrid({ dashboard, isArranged }: { dashboard: Dashboard; isArranged: boolean }) {
  const { sections } = dashboard
  const { moveChart, moveSection, error } = useMoves(dashboard)
  const [target, setTarget] = useState<Under>()
  const [message, setMessage] = useState('')
  const moved = useRef<string>(undefined)

  // A moved chart may get a new DOM element. Focus its handle again, so that the next arrow key works.
  useEffect(() => {
    if (moved.current !== undefined && sections.length > 0) document.getElementById(handleId(moved.current))?.focus()
    moved.current = undefined
  }, [sections])

  const move = (place: string, to: Spot | undefined) => {
    const section = sections.find(({ id }) => id === to?.section)
    if (to === undefined || section === undefined) return
    moved.current = place
    setMessage(`Moved to position ${to.index + 1} in ${section.title}`)
    void moveChart(place, to)
  }
  const step = (place: string, by: 1 | -1) => {
    const from = spotOf(sections, place)
    if (from !== undefined) move(place, neighbourOf(sections, from, by))
  }
  const moveWhole = ({ id, title }: Dashboard['sections'][number], by: 1 | -1) => {
    const at = sections.findIndex((section) => section.id === id)
    setMessage(`${title} is section ${at + by + 1} of ${sections.length}`)
    void moveSection(id, by)
  }
  const drop = (place: string, under: Under | undefined) => {
    setTarget(undefined)
    if (under === undefined || under.place === place) return
    move(place, under.place === undefined ? endOf(dashboard, place, under.section) : spotOf(sections, under.place))
  }
  return (
    <>
      <p className="visually-hidden" role="status">
        {message}
      </p>
      {error !== null && <Problem error={error} />}
      {sections.map((section) => (
        <section
          key={section.id}
          aria-label={section.title}
          className={target?.section === section.id ? 'board-section is-target' : 'board-section'}
          data-section={section.id}
        >
          <header className="board-head">
            <h2>{section.title}</h2>
            {isArranged && <SectionTools dashboard={dashboard} section={section} onMove={(by) => moveWhole(section, by)} />}
          </header>
          {section.charts.length === 0 ? (
            <Empty>No charts in this section yet.</Empty>
          ) : (
            <ul className="columns board-charts">
              {section.charts.map((placed) => (
                <DashboardChart
                  key={placed.id}
                  dashboard={dashboard.id}
                  isOwn={dashboard.is_own}
                  placed={placed}
                  isArranged={isArranged}
                  isTarget={target?.place === placed.id}
                  onStep={(by) => step(placed.id, by)}
                  onDrag={setTarget}
                  onDrop={(under) => drop(placed.id, under)}
                />
              ))}
            </ul>
          )}
        </section>
      ))}
    </>
  )
}

function endOf({ sections }: Dashboard, place: string, section: string): Spot {
  const others = sections.find(({ id }) => id === section)?.charts.filter(({ id }) => id !== place) ?? []
  return { section, index: others.length }
}

interface DashboardChartProps {
  readonly dashboard: string
  /** Whether its charts are the user's, who can rename and delete them. */
  readonly isOwn: boolean
  readonly placed: Dashboard['sections'][number]['charts'][number]
  readonly isArranged: boolean
  readonly isTarget: boolean
  readonly onStep: (by: 1 | -1) => void
  readonly onDrag: (under: Under | undefined) => void
  readonly onDrop: (under: Under | undefined) => void
}

/** Id of the element that moves a chart. */
function handleId(place: string): string {
  return `move-${place}`
}

/** A chart on a dashboard. In edit mode it also shows its tools. */
function DashboardChart({ dashboard, isOwn, placed, isArranged, isTarget, onStep, onDrag, onDrop }: DashboardChartProps) {
  const { id, saved_chart_id, chart } = placed
  const remove = useChange(() => client.delete('/api/dashboards/{id}/charts/{cid}', { path: { id: dashboard, cid: id } }))
  return (
    <li className={isTarget ? 'placed is-target' : 'placed'} data-place={id}>
      {isArranged && (
        <fieldset className="placed-tools" aria-label={`Edit ${chart.name}`}>
          <MoveHandle id={handleId(id)} name={chart.name} onStep={onStep} onDrag={onDrag} onDrop={onDrop} />
          {isOwn && <RenameChart chart={{ id: saved_chart_id, name: chart.name }} />}
          <button type="button" className="button" disabled={remove.isPending} onClick={() => remove.mutate()}>
            Remove
          </button>
          {isOwn && <DeleteChart chart={{ id: saved_chart_id, name: chart.name }} />}
        </fieldset>
      )}
      {remove.error !== null && <Problem error={remove.error} />}
      <SavedChart own={isOwn ? saved_chart_id : undefined} name={chart.name} config={chart.config} />
    </li>
  )
}

const KEYS: Readonly<Record<string, 1 | -1>> = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 }

/** The target below the pointer: a chart's place, or a section. */
interface Under {
  readonly place: string | undefined
  readonly section: string
}

interface MoveHandleProps {
  readonly id: string
  readonly name: string
  readonly onStep: (by: 1 | -1) => void
  readonly onDrag: (under: Under | undefined) => void
  readonly onDrop: (under: Under | undefined) => void
}

/** Moves a chart by mouse, finger or arrow keys. */
function MoveHandle({ id, name, onStep, onDrag, onDrop }: MoveHandleProps) {
  const press = (event: KeyboardEvent) => {
    const by = KEYS[event.key]
    if (by === undefined) return
    event.preventDefault()
    onStep(by)
  }
  const isDragged = (event: PointerEvent<HTMLElement>) => event.currentTarget.hasPointerCapture(event.pointerId)
  return (
    <button
      type="button"
      id={id}
      className="button is-quiet is-square move-handle"
      aria-label={`Move ${name} with the arrow keys`}
      title="Drag, or use the arrow keys"
      onKeyDown={press}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={(event) => isDragged(event) && onDrag(underOf(event))}
      onPointerUp={(event) => isDragged(event) && onDrop(underOf(event))}
      onPointerCancel={() => onDrag(undefined)}
    >
      ⠿
    </button>
  )
}

function underOf({ clientX, clientY }: PointerEvent): Under | undefined {
  const found = document.elementFromPoint(clientX, clientY)
  const section = found?.closest<HTMLElement>('[data-section]')?.dataset['section']
  return section === undefined ? undefined : { section, place: found?.closest<HTMLElement>('[data-place]')?.dataset['place'] }
}

type Sections = Dashboard['sections']

const MOVES = ['moves'] as const

/**
 * Moves charts and sections. Shows each move at once and saves the moves one after the other. If saving fails, shows the server's
 * order again.
 */
function useMoves({ id, sections }: Dashboard) {
  const queries = useQueryClient()
  const save = useMutation({
    mutationKey: MOVES,
    scope: { id: 'moves' },
    mutationFn: async (run: () => Promise<void>) => run(),
    // Only the last move reloads. A reload between two moves would show the older order.
    onSettled: () =>
      queries.isMutating({ mutationKey: MOVES }) === 1 ? queries.invalidateQueries({ queryKey: ALL }) : undefined,
  })
  const show = async (after: Sections, run: () => Promise<void>) => {
    await queries.cancelQueries({ queryKey: dashboardKey(id) })
    queries.setQueryData(dashboardKey(id), (dashboard: Dashboard | undefined) => dashboard && { ...dashboard, sections: after })
    save.mutate(run)
  }
  return {
    error: save.error,
    moveChart: (place: string, to: Spot) => {
      const after = withMoved(sections, place, to)
      return show(after, async () => {
        for (const { cid, body } of changedPlaces(sections, after))
          await client.put('/api/dashboards/{id}/charts/{cid}', { path: { id, cid }, body })
      })
    },
    moveSection: (section: string, by: 1 | -1) => {
      const after = withMovedSection(sections, section, by)
      const old = new Map(sections.map((one) => [one.id, one.position]))
      return show(after, async () => {
        for (const { id: sid, position } of after.filter((one) => old.get(one.id) !== one.position))
          await client.put('/api/dashboards/{id}/sections/{sid}', { path: { id, sid }, body: { position } })
      })
    },
  }
}

type Section = components['schemas']['SectionWithCharts']

/** Target position of a chart. */
interface Spot {
  readonly section: string
  readonly index: number
}

/** Section and index of the chart with the id `place`. */
function spotOf(sections: readonly Section[], place: string): Spot | undefined {
  for (const { id, charts } of sections) {
    const index = charts.findIndex((chart) => chart.id === place)
    if (index >= 0) return { section: id, index }
  }
  return undefined
}

/** The next or previous position. Beyond a section it is in the adjacent section. Undefined beyond the first or last section. */
function neighbourOf(sections: readonly Section[], { section, index }: Spot, by: 1 | -1): Spot | undefined {
  const at = sections.findIndex(({ id }) => id === section)
  const within = index + by
  if (within >= 0 && within < (sections[at]?.charts.length ?? 0)) return { section, index: within }
  const next = sections[at + by]
  return next === undefined ? undefined : { section: next.id, index: by === 1 ? 0 : next.charts.length }
}

/** The sections with a chart moved to another position, and all positions renumbered. */
function withMoved(sections: readonly Section[], place: string, to: Spot): readonly Section[] {
  const moved = sections.flatMap(({ charts }) => charts).find(({ id }) => id === place)
  if (moved === undefined) return sections
  return sections.map((section) => {
    const rest = section.charts.filter(({ id }) => id !== place)
    const charts = section.id === to.section ? rest.toSpliced(to.index, 0, moved) : rest
    return { ...section, charts: charts.map((chart, position) => ({ ...chart, position })) }
  })
}

/** The places that differ between two orders and must be saved. */
function changedPlaces(before: readonly Section[], after: readonly Section[]) {
  const old = new Map(before.flatMap(({ id, charts }) => charts.map((chart) => [chart.id, { id, at: chart.position }])))
  return after.flatMap(({ id, charts }) =>
    charts
      .filter((chart) => old.get(chart.id)?.id !== id || old.get(chart.id)?.at !== chart.position)
      .map((chart) => ({ cid: chart.id, body: { section_id: id, position: chart.position } })),
  )
}

/** The sections with one section moved up or down, and positions renumbered. */
function withMovedSection(sections: readonly Section[], id: string, by: 1 | -1): readonly Section[] {
  const from = sections.findIndex((section) => section.id === id)
  const moved = sections[from]
  const to = from + by
  if (moved === undefined || to < 0 || to >= sections.length) return sections
  return sections
    .toSpliced(from, 1)
    .toSpliced(to, 0, moved)
    .map((section, position) => ({ ...section, position }))
}
