import type { ReactNode } from 'react'
import type { Question } from '../api/query.ts'
import type { ChartSpec } from '../charts/spec.ts'
import { useSearchState } from '../controls/use-page.ts'
import { NotesList } from './notes-list.tsx'
import { goalLine, goalsOf, metricOf, notesOn } from './remarks.ts'
import { useGoals, useNotes } from './use-remarks.ts'

interface Drawn {
  readonly title: string
  readonly question: Question
  readonly measure?: string
}

/** The chart with its notes and goals, and the list of the notes. Only a chart over time has them. */
export function useRemarks(
  spec: ChartSpec | undefined,
  { title, question, measure }: Drawn,
  currency: string,
): { readonly spec: ChartSpec | undefined; readonly list: ReactNode } {
  const { tenant } = useSearchState()
  const notes = useNotes() ?? []
  const { data: goals = [] } = useGoals()
  if (spec?.days === undefined) return { spec, list: null }
  const numbered = notesOn(notes, spec.days, { metric: metricOf(question.path), tenant })
  const isOne = spec.series.length === 1 && measure !== undefined
  const goal = isOne ? goalLine(goalsOf(goals, question, measure, currency), spec.days) : undefined
  const list = <NotesList title={title} numbered={numbered} notes={notes} />
  return { spec: { ...spec, ...(numbered.length > 0 && { notes: numbered }), ...(goal !== undefined && { goal }) }, list }
}
