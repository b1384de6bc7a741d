import { useRouterState } from '@tanstack/react-router'
import { createContext, type ReactNode, use, useEffect, useMemo, useState } from 'react'
import type { Query, Question } from '../api/question.ts'
import type { Row } from '../api/use-answer.ts'

/** What a number is made of: one more call, shown at the side. */
export interface Drill {
  readonly title: string
  /** Absent where no call of the API says it; then `note` says why. */
  readonly question?: Question | undefined
  /** Fields to be shown; all of them if absent. */
  readonly fields?: readonly string[]
  /** Field whose sum is the number that was clicked; the panel shows the sum. */
  readonly sum?: string
  readonly note?: string
  /** Which rows count, where the call cannot leave the others out. It is then made whole, however many rows it has. */
  readonly only?: (row: Row) => boolean
  /** What the number in a field of a row is made of in its turn. */
  readonly leads?: (row: Row, field: string) => Drill | undefined
  /** Days, and whom they are about, of which the API says in sentences why MRR changed. */
  readonly why?: Query
}

interface Drilling {
  readonly drill: Drill | undefined
  open(drill: Drill): void
  close(): void
}

const Context = createContext<Drilling>({ drill: undefined, open: () => {}, close: () => {} })

/** Remembers what the side panel shows, until another address is gone to: it is about a number of this one. */
export function DrillProvider({ children }: { children: ReactNode }) {
  const [drill, setDrill] = useState<Drill>()
  const address = useRouterState({ select: ({ location }) => location.href })
  useEffect(() => setDrill(undefined), [address])
  const value = useMemo(() => ({ drill, open: setDrill, close: () => setDrill(undefined) }), [drill])
  return <Context value={value}>{children}</Context>
}

/** Opens and closes the side panel. */
export function useDrill(): Drilling {
  return use(Context)
}

/** A number that leads to what it is made of. */
export function DrillButton({ drill, children }: { drill: Drill; children: ReactNode }) {
  const { open } = useDrill()
  return (
    <button type="button" className="cell-button" title={`Show ${drill.title}`} onClick={() => open(drill)}>
      {children}
    </button>
  )
}
