import { useEffect, useRef, useState } from 'react'
import { Problem } from '../parts/problem.tsx'
import { Empty } from '../parts/states.tsx'
import type { Under } from './move-handle.tsx'
import { neighbourOf, type Spot, spotOf } from './order.ts'
import { handleId, PlacedChart } from './placed-chart.tsx'
import type { Dashboard } from './resources.ts'
import { SectionTools } from './section-tools.tsx'
import { useMoves } from './use-moves.ts'

/** Sections of a dashboard with their charts, which can be moved while it is arranged. */
export function Board({ board, isArranged }: { board: Dashboard; isArranged: boolean }) {
  const { sections } = board
  const { moveChart, moveSection, error } = useMoves(board)
  const [target, setTarget] = useState<Under>()
  const [told, setTold] = useState('')
  const moved = useRef<string>(undefined)

  // What was moved is another element of the page now, or stands elsewhere in it: the keys go on with it.
  useEffect(() => {
    if (moved.current !== undefined && sections.length > 0) document.getElementById(handleId(moved.current))?.focus()
    moved.current = undefined
  }, [sections])

  const move = (place: string, to: Spot | undefined) => {
    const section = sections.find(({ id }) => id === to?.section)
    if (to === undefined || section === undefined) return
    moved.current = place
    setTold(`Moved to position ${to.index + 1} in ${section.title}`)
    void moveChart(place, to)
  }
  const step = (place: string, by: 1 | -1) => {
    const from = spotOf(sections, place)
    if (from !== undefined) move(place, neighbourOf(sections, from, by))
  }
  const moveWhole = ({ id, title }: Dashboard['sections'][number], by: 1 | -1) => {
    const at = sections.findIndex((section) => section.id === id)
    setTold(`${title} is section ${at + by + 1} of ${sections.length}`)
    void moveSection(id, by)
  }
  const drop = (place: string, under: Under | undefined) => {
    setTarget(undefined)
    if (under === undefined || under.place === place) return
    move(place, under.place === undefined ? endOf(board, place, under.section) : spotOf(sections, under.place))
  }
  return (
    <>
      <p className="visually-hidden" role="status">
        {told}
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
            {isArranged && <SectionTools board={board} section={section} onMove={(by) => moveWhole(section, by)} />}
          </header>
          {section.charts.length === 0 ? (
            <Empty>No charts in this section yet.</Empty>
          ) : (
            <ul className="columns board-charts">
              {section.charts.map((placed) => (
                <PlacedChart
                  key={placed.id}
                  board={board.id}
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
