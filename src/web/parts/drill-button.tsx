import type { ReactNode } from 'react'
import { type Drill, useDrill } from './drill.tsx'

/** A number that leads to what it is made of. */
export function DrillButton({ drill, children }: { drill: Drill; children: ReactNode }) {
  const { open } = useDrill()
  return (
    <button type="button" className="cell-button" title={`Show ${drill.title}`} onClick={() => open(drill)}>
      {children}
    </button>
  )
}
