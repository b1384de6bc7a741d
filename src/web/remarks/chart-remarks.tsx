import { type ReactNode, useState } from 'react'
import type { Question } from '../api/query.ts'
import type { Row } from '../api/use-answer.ts'
import { useHasScope } from '../auth/who.ts'
import type { ChartSpec, NumberedNote } from '../charts/spec.ts'
import { useSearchState } from '../controls/use-page.ts'
import { formatDay } from '../format/days.ts'
import { Figure } from '../format/figure.tsx'
import type { Column } from '../parts/table.tsx'
import { NoteDialog } from './note-dialog.tsx'
import { goalLine, goalsOf, metricOf, notesOn } from './remarks.ts'
import { type Note, useGoals, useNotes } from './use-remarks.ts'

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

/** The columns of a chart's table with its goals, if it has some. */
export function withGoals(columns: readonly Column[], spec: ChartSpec | undefined): readonly Column[] {
  const { goal, days = [], unit = 'count', currency = '' } = spec ?? {}
  if (goal === undefined) return columns
  const goalIn = (row: Row) => goal.values[days.findIndex(({ start }) => start === row['period'])] ?? null
  const render = (row: Row) => <Figure value={goalIn(row)} unit={unit} currency={currency} />
  return [...columns, { key: 'goal', label: goal.name, isNumber: true, totals: false, render }]
}

/** Notes that a card lists. More would hide what follows. */
const MOST = 20

/** The notes of a chart below it, with the numbers of their marks. Users who may write can change them. */
function NotesList({ title, numbered, notes }: { title: string; numbered: readonly NumberedNote[]; notes: readonly Note[] }) {
  const mayWrite = useHasScope('write')
  const [changed, setChanged] = useState<Note>()
  if (numbered.length === 0) return null
  return (
    <>
      <ol className="notes" aria-label={`Notes on ${title}`}>
        {numbered.slice(0, MOST).map(({ id, number }) => {
          const note = notes.find((one) => one.id === id)
          if (note === undefined) return null
          return (
            <li key={id}>
              <span className="note-mark">{number}</span>
              <span className="note-text">
                <span className="muted">{formatDay(note.day)}</span> <bdi>{note.text}</bdi>
                {note.tenant !== null && <span className="muted"> ({note.tenant})</span>}
              </span>
              {mayWrite && (
                <button
                  type="button"
                  className="link-button"
                  aria-label={`Edit note ${number} on ${title}`}
                  onClick={() => setChanged(note)}
                >
                  Edit
                </button>
              )}
            </li>
          )
        })}
        {numbered.length > MOST && <li className="muted">{numbered.length - MOST} more: choose fewer days.</li>}
      </ol>
      {changed !== undefined && <NoteDialog note={changed} onClose={() => setChanged(undefined)} />}
    </>
  )
}
