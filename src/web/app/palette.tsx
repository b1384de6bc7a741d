import { Autocomplete } from '@base-ui/react/autocomplete'
import { Dialog } from '@base-ui/react/dialog'
import { useState } from 'react'
import { type Target, useTargets } from './palette-targets.ts'

/** Goes to any page, customer or segment by its name, and to a figure asked for in words. */
export function Palette({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="dialog palette">
          <Dialog.Title className="visually-hidden">Search</Dialog.Title>
          <Finder onDone={onClose} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function Finder({ onDone }: { onDone: () => void }) {
  const [text, setText] = useState('')
  const targets = useTargets(text)
  const choose = (target: Target) => {
    target.go()
    onDone()
  }
  return (
    <Autocomplete.Root
      items={targets}
      value={text}
      onValueChange={setText}
      itemToStringValue={(target: Target) => target.label}
      filter={null}
      autoHighlight="always"
      open
      inline
    >
      <Autocomplete.Input
        className="input palette-input"
        aria-label="Search pages, metrics, customers and segments"
        placeholder="Search, or ask “MRR by plan”"
      />
      <Autocomplete.Empty className="palette-empty">No match. Try “mrr by country” or “churn last 6 months”.</Autocomplete.Empty>
      <Autocomplete.List className="menu-list palette-list">
        {(target: Target) => (
          <Autocomplete.Item key={target.id} value={target} className="menu-item" onClick={() => choose(target)}>
            <span>{target.label}</span>
            <span className="muted">{target.kind}</span>
          </Autocomplete.Item>
        )}
      </Autocomplete.List>
    </Autocomplete.Root>
  )
}
