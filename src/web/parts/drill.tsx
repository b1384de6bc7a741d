import { useRouterState } from '@tanstack/react-router'
import { createContext, type ReactNode, use, useEffect, useMemo, useState } from 'react'
import type { Query, Question } from '../api/question.ts'
import type { Row } from '../api/use-answer.ts'

/** The rows behind a number: one more API call, shown in the side panel. */
export interface Drill {
  readonly title: string
  /** Absent if no call can list the rows. `note` then says why. */
  readonly question?: Question | undefined
  /** Fields to show; all by default. */
  readonly fields?: readonly string[]
  /** Field whose sum is the clicked number. The panel shows the sum. */
  readonly sum?: string
  readonly note?: string
  /** Selects rows if the call cannot select them. The call then has no limit. */
  readonly only?: (row: Row) => boolean
  /** The rows behind a number inside the panel. */
  readonly leads?: (row: Row, field: string) => Drill | undefined
  /** Parameters for the API's sentences about why MRR changed. */
  readonly why?: Query
}

interface Drilling {
  readonly drill: Drill | undefined
  open(drill: Drill): void
  close(): void
}

const Context = createContext<Drilling>({ drill: undefined, open: () => {}, close: () => {} })

/** Holds the content of the side panel. The panel closes when the address changes. */
export function DrillProvider({ children }: { children: ReactNode }) {
  const [drill, setDrill] = useState<Drill>()
  const address = useRouterState({ select: ({ location }) => location.href })
  useEffect(() => setDrill(undefined), [address])
  const value = useMemo(() => ({ drill, open: setDrill, close: () => setDrill(undefined) }), [drill])
  return <Context value={value}>{children}</Context>
}

export function useDrill(): Drilling {
  return use(Context)
}

/** A number that opens the rows behind it. */
export function DrillButton({ drill, children }: { drill: Drill; children: ReactNode }) {
  const { open } = useDrill()
  return (
    <button type="button" className="cell-button" title={`Show ${drill.title}`} onClick={() => open(drill)}>
      {children}
    </button>
  )
}
