import { Autocomplete } from '@base-ui/react/autocomplete'
import { useId } from 'react'
import { useSegmentFields } from '../api/resources.ts'
import { rowsOf, useAnswer } from '../api/use-answer.ts'

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

const MOST = 500
const FEW = 10

/**
 * Suggestions for a dimension, field or attribute. They are the API's examples. If these may be incomplete, the values with the
 * most MRR come before them.
 */
export function useValues(key: string | undefined): readonly string[] {
  const { data } = useSegmentFields()
  const field = data?.find(({ field: name }) => name === key)
  const examples = (field?.examples ?? []).map(String)
  const isDimension = key !== undefined && !/^(customer|subscription|computed)\./.test(key)
  const isAsked = isDimension && field !== undefined && field.type !== 'boolean' && examples.length >= FEW
  const query = { dimensions: key, order: '-mrr', limit: MOST }
  const answer = useAnswer(isAsked ? { path: '/api/metrics/mrr', query } : undefined)
  if (field?.type === 'boolean') return ['true', 'false']
  if (!isAsked || key === undefined) return examples
  const most = rowsOf(answer.data?.data).flatMap((row) => (row[key] === null || row[key] === undefined ? [] : [String(row[key])]))
  return [...new Set([...most, ...examples])]
}
