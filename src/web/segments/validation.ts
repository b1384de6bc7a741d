import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { client } from '../api/client.ts'
import type { Definition } from './draft.ts'

/** Validates a definition on the server. No errors while the definition is incomplete or the server has not answered. */
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

/** Errors of a definition, each under the place that it is about. */
export type Errors = ReadonlyMap<string, readonly string[]>

export const ROOT = 'root'

/** The API's name for the place of a node in its group. */
export function placeWithin(group: string, index: number): string {
  return `${group}.conditions[${index}]`
}

/** Messages by place. The API starts each message with the place. */
export function errorsByPlace(messages: readonly string[]): Errors {
  const pairs = messages.map((message) => {
    const [, place = ROOT, text = message] = /^(root[^:]*): (.*)$/s.exec(message) ?? []
    return { place, text: `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.?]$/.test(text) ? '' : '.'}` }
  })
  return new Map([...Map.groupBy(pairs, ({ place }) => place)].map(([place, own]) => [place, own.map(({ text }) => text)]))
}
