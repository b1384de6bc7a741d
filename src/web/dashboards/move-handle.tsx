import type { KeyboardEvent, PointerEvent } from 'react'

const KEYS: Readonly<Record<string, 1 | -1>> = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 }

/** Under what the pointer is: the chart of a place, else a section. */
export interface Under {
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

/** Moves a chart: dragged with mouse or finger, or with the arrow keys. */
export function MoveHandle({ id, name, onStep, onDrag, onDrop }: MoveHandleProps) {
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
