import { AlertDialog } from '@base-ui/react/alert-dialog'

interface ConfirmButtonProps {
  /** What the button says, and the one that confirms. */
  readonly label: string
  readonly title: string
  /** What happens, and that it cannot be undone where that is so. */
  readonly consequence: string
  readonly isBusy?: boolean
  readonly onConfirm: () => void
}

/** A button for what cannot be undone: it asks first. */
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
