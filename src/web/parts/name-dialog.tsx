import { Dialog } from '@base-ui/react/dialog'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { Problem } from './problem.tsx'

const LONGEST = 200

interface NameDialogProps {
  /** Text of the button that opens the dialog. */
  readonly label: string
  readonly title: string
  /** Text of the button that saves. */
  readonly action: string
  readonly isMain?: boolean
  /** Label of the field. */
  readonly field?: string
  readonly value?: string
  /** Content below the field. */
  readonly children?: ReactNode
  readonly onSave: (name: string) => Promise<unknown>
}

/** A button that asks for a name. If the name is rejected, the dialog stays open and shows why. */
export function NameDialog(props: NameDialogProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Dialog.Root open={isOpen} onOpenChange={setOpen}>
      <Dialog.Trigger className={props.isMain === true ? 'button is-main' : 'button'}>{props.label}</Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="dialog">
          <NameForm {...props} onDone={() => setOpen(false)} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function NameForm({
  title,
  action,
  field = 'Name',
  value = '',
  children,
  onSave,
  onDone,
}: NameDialogProps & { onDone: () => void }) {
  const id = useId()
  const [name, setName] = useState(value)
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    try {
      await onSave(name.trim())
      onDone()
    } catch (refusal) {
      setError(refusal)
      setBusy(false)
    }
  }
  return (
    <form onSubmit={(event) => void submit(event)}>
      <header className="panel-head">
        <Dialog.Title className="panel-title">{title}</Dialog.Title>
      </header>
      <div className="panel-body name-fields">
        <div className="field">
          <label htmlFor={id}>{field}</label>
          <input
            id={id}
            className="input"
            required
            maxLength={LONGEST}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        </div>
        {children}
        {error !== undefined && <Problem error={error} />}
      </div>
      <footer className="panel-foot">
        <button type="submit" className="button is-main" disabled={isBusy || name.trim() === ''}>
          {action}
        </button>
        <Dialog.Close className="button">Cancel</Dialog.Close>
      </footer>
    </form>
  )
}
