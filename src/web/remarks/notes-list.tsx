import { useState } from 'react'
import { useHasScope } from '../auth/who.ts'
import type { NumberedNote } from '../charts/spec.ts'
import { formatDay } from '../format/days.ts'
import { NoteDialog } from './note-dialog.tsx'
import type { Note } from './use-remarks.ts'

/** Notes that a card lists. More would hide what follows. */
const MOST = 20

/** The notes of a chart below it, with the numbers of their marks. Users who may write can change them. */
export function NotesList({
  title,
  numbered,
  notes,
}: {
  title: string
  numbered: readonly NumberedNote[]
  notes: readonly Note[]
}) {
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
