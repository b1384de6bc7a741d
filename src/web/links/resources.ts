import { useQuery } from '@tanstack/react-query'
import { client } from '../api/client.ts'

/** Query key of the links. */
export const LINKS = ['links'] as const

/** The user's links, and for administrators all, newest first. */
export function useLinks() {
  return useQuery({
    queryKey: LINKS,
    queryFn: async ({ signal }) => (await client.get('/api/links', { signal })).data,
    staleTime: 0,
  })
}
