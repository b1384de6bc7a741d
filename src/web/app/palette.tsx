import { Autocomplete } from '@base-ui/react/autocomplete'
import { Dialog } from '@base-ui/react/dialog'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useDeferredValue, useState } from 'react'
import { client } from '../api/client.ts'
import { useSegments } from '../api/resources.ts'
import { kept, type Search } from '../controls/search.ts'
import { FIGURES } from '../pages/explore-figures.ts'
import { MENU } from './menu.ts'
import { useShown } from './use-shown.ts'

interface Target {
  readonly id: string
  readonly label: string
  readonly kind: string
  go(): void
}

const MOST_CUSTOMERS = 8
const LEAST_LETTERS = 2

/** Goes to any page, figure, customer or segment by its name. */
export function Palette({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="dialog palette">
          <Dialog.Title className="visually-hidden">Go to</Dialog.Title>
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
        aria-label="Page, figure, customer or segment"
        placeholder="Page, figure, customer or segment"
      />
      <Autocomplete.Empty className="palette-empty">Nothing has this name.</Autocomplete.Empty>
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

function useTargets(text: string): readonly Target[] {
  const navigate = useNavigate()
  const wanted = useDeferredValue(text.trim())
  const { data: segments = [] } = useSegments()
  const { data: customers = [] } = useQuery({
    queryKey: ['palette', wanted],
    queryFn: async ({ signal }) =>
      (await client.get('/api/customers', { query: { search: wanted, limit: MOST_CUSTOMERS }, signal })).data.rows,
    enabled: wanted.length >= LEAST_LETTERS,
  })
  const search = (before: Search) => kept(before)
  const named = ({ label }: Target) => label.toLowerCase().includes(wanted.toLowerCase())
  const pages = MENU.filter(useShown()).map(({ to, label }) => ({
    id: to,
    label,
    kind: 'Page',
    go: () => void navigate({ to, search }),
  }))
  const saved = segments.map(({ id, name }) => ({
    id,
    label: name,
    kind: 'Segment',
    go: () => void navigate({ to: '/', search: (before: Search) => ({ ...kept(before), segment: id }) }),
  }))
  const figures = FIGURES.map(({ id, label }) => ({
    id: `figure ${id}`,
    label,
    kind: 'Figure',
    go: () => void navigate({ to: '/explore', search: (before: Search) => ({ ...kept(before), metric: id }) }),
  }))
  const found = customers.map(({ id, name, email, external_key }) => ({
    id,
    label: name ?? email ?? external_key ?? id,
    kind: 'Customer',
    go: () => void navigate({ to: '/customers/$id', params: { id }, search }),
  }))
  return [
    ...[...pages, ...saved, ...(wanted === '' ? [] : figures)].filter(named),
    ...(wanted.length >= LEAST_LETTERS ? found : []),
  ]
}
