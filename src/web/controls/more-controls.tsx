import { type ReactNode, useId, useState } from 'react'

/**
 * Controls that a phone keeps behind one button with the number of those in use. In a wider window they are always there, and
 * there is no button.
 */
export function MoreControls({ count, children }: { count: number; children: ReactNode }) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        className="button control more-button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        Filters{count > 0 && ` (${count})`} <span aria-hidden="true">{isOpen ? '▴' : '▾'}</span>
      </button>
      <div id={id} className="more-controls" data-open={isOpen}>
        {children}
      </div>
    </>
  )
}
