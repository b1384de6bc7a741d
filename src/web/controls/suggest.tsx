import { Autocomplete } from '@base-ui/react/autocomplete'
import { useId, useMemo } from 'react'
import { useFieldValues } from '../api/resources.ts'
import { useDebounced } from './debounced.ts'

interface SuggestProps {
  readonly label: string
  readonly value: string
  readonly suggestions: readonly string[]
  readonly onChange: (value: string) => void
  readonly placeholder?: string
  readonly isLabelHidden?: boolean
  /** Marks the text as invalid. */
  readonly isInvalid?: boolean
}

const MOST_SHOWN = 100

/** A text field with suggestions. The user may also enter any other text. */
export function Suggest({
  label,
  value,
  suggestions,
  onChange,
  placeholder,
  isLabelHidden = false,
  isInvalid = false,
}: SuggestProps) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id} className={isLabelHidden ? 'visually-hidden' : undefined}>
        {label}
      </label>
      <Autocomplete.Root items={suggestions} value={value} onValueChange={onChange} openOnInputClick limit={MOST_SHOWN}>
        <Autocomplete.Input id={id} className="input" placeholder={placeholder} aria-invalid={isInvalid} />
        <Autocomplete.Portal>
          <Autocomplete.Positioner className="positioner" sideOffset={4} align="start">
            <Autocomplete.Popup className="menu">
              <Autocomplete.List className="menu-list">
                {(item: string) => (
                  <Autocomplete.Item key={item} value={item} className="menu-item">
                    {item === '' ? '(empty)' : item}
                  </Autocomplete.Item>
                )}
              </Autocomplete.List>
            </Autocomplete.Popup>
          </Autocomplete.Positioner>
        </Autocomplete.Portal>
      </Autocomplete.Root>
    </div>
  )
}

/**
 * Suggestions for the value of a filter of a metric, or of a condition of a segment: the values that rows have. If there are more than the API lists at
 * once, those that contain `text` come first.
 */
export function useValues(metric: string | undefined, key: string | undefined, text = ''): readonly string[] {
  const first = useFieldValues(metric, key, '').data
  const search = useDebounced(text.trim())
  const isLong = first !== undefined && first.count !== null && first.count > first.values.length
  const found = useFieldValues(isLong && search !== '' ? metric : undefined, key, search).data
  return useMemo(() => [...new Set([...(found?.values ?? []), ...(first?.values ?? [])])], [found, first])
}
