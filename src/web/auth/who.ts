import { useQuery } from '@tanstack/react-query'
import { type components, createClient, PlumblineError } from '../../client/index.ts'
import { BASE_URL, client } from '../api/client.ts'

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
export function useCurrentUser(isAsked = true) {
  return useQuery({
    queryKey: ['auth-me'],
    queryFn: async ({ signal }) => (await client.get('/auth/me', { signal })).data,
    enabled: isAsked,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** Whether the user has a scope: what one may not do is not offered. */
export function useHasScope(scope: Scope): boolean {
  const { data } = useCurrentUser()
  return data?.scopes.includes(scope) ?? false
}

const UNAUTHORIZED = 401

/** Whether the service knows a credential, before it is taken for the page's. Rejects where the service does not say. */
export async function isAccepted(credential: string): Promise<boolean> {
  // What no header can carry is no credential.
  if (!/^[\x21-\x7e]+$/.test(credential)) return false
  const state = createClient({ baseUrl: BASE_URL, headers: { authorization: `Bearer ${credential}` } })
  try {
    await state.get('/auth/me')
    return true
  } catch (error) {
    if (error instanceof PlumblineError && error.status === UNAUTHORIZED) return false
    throw error
  }
}
