import { useSyncExternalStore } from 'react'

const KEY = 'plumbline.key'
const UNAUTHORIZED = 401

const listeners = new Set<() => void>()

/** The credential of the tab: an API key outlives a reload of it, a token of an issuer does not. */
let credential: string | undefined = sessionStorage.getItem(KEY) ?? undefined
let isRefused = false

/** Signs in with a credential; `isKept` for the tab. */
export function signInWith(value: string, isKept: boolean): void {
  credential = value
  isRefused = false
  if (isKept) sessionStorage.setItem(KEY, value)
  tell()
}

/** Forgets the credential. */
export function signOut(): void {
  credential = undefined
  isRefused = false
  sessionStorage.removeItem(KEY)
  tell()
}

/** Whether there is a credential, and whether the service has refused it. */
export function useSession(): { readonly isSignedIn: boolean; readonly isRefused: boolean } {
  const isSignedIn = useSyncExternalStore(subscribe, hasCredential)
  const refused = useSyncExternalStore(subscribe, wasRefused)
  return { isSignedIn, isRefused: refused }
}

/** Whether requests carry a credential: then a plain link would go without it. */
export function hasCredential(): boolean {
  return credential !== undefined
}

/** `fetch` with the credential. What the service refuses leads to sign-in, and then back: the address stays. */
export const fetchSignedIn = signedIn((input, init) => fetch(input, init))

/** The same of any other way to send. */
export function signedIn(send: typeof fetch): typeof fetch {
  return async (input, init) => sendSignedIn(send, input, init)
}

async function sendSignedIn(send: typeof fetch, input: Parameters<typeof fetch>[0], init: RequestInit | undefined) {
  const headers = new Headers(init?.headers)
  const sent = credential
  if (sent !== undefined) headers.set('authorization', `Bearer ${sent}`)
  const response = await send(input, { ...init, headers })
  // Only of the credential that is still the one: an answer may be late.
  if (response.status === UNAUTHORIZED && sent === credential) {
    isRefused = sent !== undefined
    credential = undefined
    sessionStorage.removeItem(KEY)
    tell()
  }
  return response
}

function wasRefused(): boolean {
  return isRefused
}

function tell(): void {
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
