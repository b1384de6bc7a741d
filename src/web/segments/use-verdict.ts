import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { client } from '../api/client.ts'
import type { Definition } from './draft.ts'
import { type Errors, errorsByPlace } from './errors.ts'

/** What the service finds wrong with a definition; undefined where nothing is asked or known yet. */
export function useVerdict(definition: Definition, isAsked: boolean): { readonly errors: Errors; readonly isValid: boolean } {
  const { data } = useQuery({
    queryKey: ['segment-verdict', definition],
    queryFn: async ({ signal }) => (await client.post('/api/segments/validate', { body: definition, signal })).data,
    enabled: isAsked,
    placeholderData: keepPreviousData,
  })
  const messages = isAsked ? (data?.errors ?? []) : []
  return { errors: errorsByPlace(messages), isValid: isAsked && data?.valid === true }
}
