import { Dialog } from '@base-ui/react/dialog'
import { Menu } from '@base-ui/react/menu'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import type { components } from '../../client/index.ts'
import { client } from '../api/client.ts'
import { isRow, numberIn, type Row, textIn } from '../api/use-answer.ts'
import { useHasScope } from '../auth/who.ts'
import { formatDay } from '../format/days.ts'
import { Figure } from '../format/figure.tsx'
import { Problem } from '../parts/problem.tsx'
import { NO_AMOUNT } from '../parts/table.tsx'

type NewMark = components['schemas']['NewFindingMark']
type State = NewMark['state']

/** The API's limit. */
const LONGEST_NOTE = 200
const TITLES = { seen: 'Mark as seen', no_error: 'This is no error' } as const satisfies Record<State, string>
const LEADS = {
  seen: 'It stays in all sums, and shows that somebody has looked at it.',
  no_error: 'It leaves all sums, and stays below them under “Marked as no error”.',
} as const satisfies Record<State, string>

/** A class in which nobody erred: it is in no sum of differences, so nothing takes it out. */
const IN_NO_SUM = 'overdue_block'

/** The mark of a finding or notice; null if it has none. */
export function markOf(row: Row): Row | null {
  const mark = row['mark']
  return isRow(mark) ? mark : null
}

/** True for a finding or notice that is marked as no error. */
export function isNoError(row: Row): boolean {
  return markOf(row)?.['state'] === 'no_error'
}

interface MarkMenuProps {
  /** The findings and notices that the menu is about. */
  readonly rows: readonly Row[]
  /** Whom or what they are about, for readers of the screen. */
  readonly subject: string
}

/** A small menu that marks findings and notices, or removes their marks. Nothing for users who may not write. */
export function MarkMenu({ rows, subject }: MarkMenuProps) {
  const mayWrite = useHasScope('write')
  const queries = useQueryClient()
  const [asked, setAsked] = useState<State>()
  const marked = rows.flatMap((row) => textIn(markOf(row) ?? undefined, 'id') ?? [])
  const remove = useMutation({
    mutationFn: async () => {
      for (const id of marked) await client.delete('/api/billing-health/marks/{id}', { path: { id } })
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['answer'] }),
  })
  if (!mayWrite) return null
  return (
    <>
      <Menu.Root>
        <Menu.Trigger className="link-button" aria-label={`Mark ${subject}`}>
          Mark <span aria-hidden="true">▾</span>
        </Menu.Trigger>
        <Menu.Portal>
          <Menu.Positioner align="start" sideOffset={4} className="positioner">
            <Menu.Popup className="menu">
              <Menu.Item className="menu-item" onClick={() => setAsked('seen')}>
                Mark as seen…
              </Menu.Item>
              {rows.every((row) => row['class'] !== IN_NO_SUM) && (
                <Menu.Item className="menu-item" onClick={() => setAsked('no_error')}>
                  This is no error…
                </Menu.Item>
              )}
              {marked.length > 0 && (
                <Menu.Item className="menu-item" onClick={() => remove.mutate()}>
                  Remove mark
                </Menu.Item>
              )}
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
      {remove.error !== null && <Problem error={remove.error} />}
      {asked !== undefined && <MarkDialog rows={rows} state={asked} subject={subject} onClose={() => setAsked(undefined)} />}
    </>
  )
}

interface MarkDialogProps extends MarkMenuProps {
  readonly state: State
  readonly onClose: () => void
}

/** Asks for a note and marks. */
function MarkDialog({ rows, state, subject, onClose }: MarkDialogProps) {
  const id = useId()
  const queries = useQueryClient()
  const save = useMutation({
    mutationFn: async (note: string) => {
      for (const row of rows) await client.post('/api/billing-health/marks', { body: bodyOf(row, state, note) })
    },
    // Also after a failure: some of several may be marked.
    onSettled: async (_, error) => {
      await queries.invalidateQueries({ queryKey: ['answer'] })
      if (error === null) onClose()
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    save.mutate(String(new FormData(event.currentTarget).get('note') ?? '').trim())
  }
  const [first = {}] = rows
  const known = textIn(markOf(first) ?? undefined, 'note') ?? ''
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="dialog">
          <header className="panel-head">
            <Dialog.Title className="panel-title">{TITLES[state]}</Dialog.Title>
          </header>
          <form id={id} className="panel-body settings-form" onSubmit={submit}>
            <p>
              {rows.length === 1 ? subject : `${subject}: all ${rows.length}`}. {LEADS[state]}
            </p>
            <label className="field">
              Note
              <input name="note" className="input" maxLength={LONGEST_NOTE} defaultValue={known} placeholder="Why?" />
            </label>
            {save.error !== null && <Problem error={save.error} />}
          </form>
          <footer className="panel-foot">
            <button type="submit" form={id} className="button is-main" disabled={save.isPending}>
              Save
            </button>
            <Dialog.Close className="button">Cancel</Dialog.Close>
          </footer>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function bodyOf(row: Row, state: State, note: string): NewMark {
  return {
    kind: (textIn(row, 'class') ?? textIn(row, 'kind')) as NewMark['kind'],
    source_id: textIn(row, 'source_id'),
    customer_id: textIn(row, 'customer_id'),
    subscription_id: textIn(row, 'subscription_id'),
    invoice_id: textIn(row, 'invoice_id'),
    state,
    note: note === '' ? null : note,
  }
}

/** The mark of a finding or notice in a line, with its amount then if it has grown. Nothing without a mark. */
export function MarkLine({ row, currency }: { readonly row: Row; readonly currency: string | undefined }) {
  const mark = markOf(row)
  if (mark === null) return null
  const [note, author] = [textIn(mark, 'note'), textIn(mark, 'author')]
  const key = numberIn(mark, 'monthly_base_cents') === 0 ? 'amount_base_cents' : 'monthly_base_cents'
  const amount = (of: Row) => <Figure value={numberIn(of, key)} unit="money" currency={currency} reason={NO_AMOUNT} />
  return (
    <p className="mark-line">
      <span className="tag">{mark['state'] === 'seen' ? 'Seen' : 'No error'}</span>{' '}
      <span className="muted">
        {formatDay(textIn(mark, 'marked_on') ?? '')}
        {author !== null && ` by ${author}`}
        {note !== null && `: ${note}`}
      </span>
      {mark['has_grown'] === true && (
        <strong className="mark-grown">
          {' '}
          Has grown since: {amount(mark)} then, {amount(row)} now.
        </strong>
      )}
    </p>
  )
}
