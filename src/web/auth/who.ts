import { useQuery } from '@tanstack/react-query'
import { type components, createClient, PlumblineError } from '../../client/index.ts'
import { BASE_URL, client } from '../api/client.ts'

export type Scope = components['schemas']['Scope']

/** How users sign in to this service. */
export function useSignInConfig() {
  return useQuery({
    queryKey: ['auth-config'],
    queryFn: async ({ signal }) => (await client.get('/auth/config', { signal })).data,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** The signed-in user. If the service requires no sign-in: an anonymous user with all scopes. */
export function useCurrentUser(isAsked = true) {
  return useQuery({
    queryKey: ['auth-me'],
    queryFn: async ({ signal }) => (await client.get('/auth/me', { signal })).data,
    enabled: isAsked,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** Whether the user has a scope. The page hides actions that need a missing scope. */
export function useHasScope(scope: Scope): boolean {
  const { data } = useCurrentUser()
  return data?.scopes.includes(scope) ?? false
}

const UNAUTHORIZED = 401

/** Whether the service accepts a credential, checked before the page uses it. Rejects if the service gives no answer. */
export async function isAccepted(credential: string): Promise<boolean> {
  // A header cannot carry other characters.
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
