import { useQuery } from '@tanstack/react-query'
import type { components } from '../../client/index.ts'
import { client } from '../api/client.ts'
import { useHasScope } from '../auth/who.ts'

export type Note = components['schemas']['Note']
export type Goal = components['schemas']['Goal']

const FRESH_MS = 30_000

/** All notes by day. Undefined without a Plumbline database, and for users who may not read them. */
export function useNotes(): readonly Note[] | undefined {
  const mayRead = useHasScope('read')
  const { data } = useQuery({
    queryKey: ['notes'],
    queryFn: async ({ signal }) => (await client.get('/api/notes', { signal })).data,
    enabled: mayRead,
    staleTime: FRESH_MS,
    retry: false,
  })
  return data
}

/** All goals. Pages are complete without them, so an error shows no goals. */
export function useGoals() {
  return useQuery({
    queryKey: ['goals'],
    queryFn: async ({ signal }) => (await client.get('/api/goals', { signal })).data,
    staleTime: FRESH_MS,
    retry: false,
  })
}
