import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { client } from '../api/client.ts'
import type { Definition } from './draft.ts'

/** What the service finds wrong with a definition; undefined where nothing is asked or known yet. */
export function useValidation(definition: Definition, isAsked: boolean): { readonly errors: Errors; readonly isValid: boolean } {
  const { data } = useQuery({
    queryKey: ['segment-verdict', definition],
    queryFn: async ({ signal }) => (await client.post('/api/segments/validate', { body: definition, signal })).data,
    enabled: isAsked,
    placeholderData: keepPreviousData,
  })
  const messages = isAsked ? (data?.errors ?? []) : []
  return { errors: errorsByPlace(messages), isValid: isAsked && data?.valid === true }
}

/** What is wrong with a definition, by the place that it is about. */
export type Errors = ReadonlyMap<string, readonly string[]>

export const ROOT = 'root'

/** The place of a node within its group, as the API calls it. */
export function placeWithin(group: string, index: number): string {
  return `${group}.conditions[${index}]`
}

/** The messages of a verdict by their places; each begins with its own. */
export function errorsByPlace(messages: readonly string[]): Errors {
  const pairs = messages.map((message) => {
    const [, place = ROOT, text = message] = /^(root[^:]*): (.*)$/s.exec(message) ?? []
    return { place, text: `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.?]$/.test(text) ? '' : '.'}` }
  })
  return new Map([...Map.groupBy(pairs, ({ place }) => place)].map(([place, own]) => [place, own.map(({ text }) => text)]))
}

const PAUSE_MS = 350

/** A value once it has stayed the same for a moment, so that not every letter is a question. */
export function useDebounced<Value>(value: Value): Value {
  const [debounced, setDebounced] = useState(value)
  useEffect(() => {
    const pause = setTimeout(() => setDebounced(value), PAUSE_MS)
    return () => clearTimeout(pause)
  }, [value])
  return debounced
}
