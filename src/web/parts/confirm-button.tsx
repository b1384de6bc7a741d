import { AlertDialog } from '@base-ui/react/alert-dialog'

interface ConfirmButtonProps {
  /** Text of the button, and of the confirming button in the dialog. */
  readonly label: string
  readonly title: string
  /** The effect of the action. Also says whether the user can undo it. */
  readonly consequence: string
  readonly isBusy?: boolean
  readonly onConfirm: () => void
}

/** A button that asks for confirmation first. */
export function ConfirmButton({ label, title, consequence, isBusy = false, onConfirm }: ConfirmButtonProps) {
  return (
    <AlertDialog.Root>
      <AlertDialog.Trigger className="button is-danger" disabled={isBusy}>
        {label}
      </AlertDialog.Trigger>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="backdrop" />
        <AlertDialog.Popup className="dialog">
          <header className="panel-head">
            <AlertDialog.Title className="panel-title">{title}</AlertDialog.Title>
          </header>
          <AlertDialog.Description className="dialog-text">{consequence}</AlertDialog.Description>
          <footer className="panel-foot">
            <AlertDialog.Close className="button is-danger" onClick={onConfirm}>
              {label}
            </AlertDialog.Close>
            <AlertDialog.Close className="button">Cancel</AlertDialog.Close>
          </footer>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
