import { useSyncExternalStore } from 'react'

const KEY = 'plumbline.key'
const ISSUER = 'plumbline.issuer'
const UNAUTHORIZED = 401

const listeners = new Set<() => void>()

/** The credential of the tab: an API key outlives a reload of it, a token of an issuer does not. */
let credential: string | undefined = sessionStorage.getItem(KEY) ?? undefined
let isRefused = false

/** Signs in with an API key, which is kept for the tab. */
export function signInWithKey(key: string): void {
  sessionStorage.setItem(KEY, key)
  take(key)
}

/** Signs in with a token, which is kept in memory; for the tab is kept only at which issuer. */
export function signInWithToken(token: string, issuer: string): void {
  rememberIssuer(issuer)
  take(token)
}

/** Remembers for the tab that the user has signed in at an issuer. */
export function rememberIssuer(issuer: string): void {
  sessionStorage.setItem(ISSUER, issuer)
}

/** Whether a user has signed in at this issuer in this tab, and not signed out since. */
export function hasSignedInAt(issuer: string): boolean {
  return sessionStorage.getItem(ISSUER) === issuer
}

/** Forgets at which issuer the user has signed in: it knows the browser no longer. */
export function forgetIssuer(): void {
  sessionStorage.removeItem(ISSUER)
}

/** Forgets the credential. */
export function signOut(): void {
  forget()
  isRefused = false
  forgetIssuer()
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
    forget()
    tell()
  }
  return response
}

function take(value: string): void {
  credential = value
  isRefused = false
  tell()
}

function forget(): void {
  credential = undefined
  sessionStorage.removeItem(KEY)
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
