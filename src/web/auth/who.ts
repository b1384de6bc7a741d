import { useQuery } from '@tanstack/react-query'
import type { components } from '../../client/index.ts'
import { client } from '../api/client.ts'

export type Scope = components['schemas']['Scope']

/** How one signs in here. */
export function useSignInConfig() {
  return useQuery({
    queryKey: ['auth-config'],
    queryFn: async ({ signal }) => (await client.get('/auth/config', { signal })).data,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** Who has signed in; everybody where nobody needs to. */
export function useWho(isAsked = true) {
  return useQuery({
    queryKey: ['auth-me'],
    queryFn: async ({ signal }) => (await client.get('/auth/me', { signal })).data,
    enabled: isAsked,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** Whether the user has a scope: what one may not do is not offered. */
export function useMay(scope: Scope): boolean {
  const { data } = useWho()
  return data?.scopes.includes(scope) ?? false
}
