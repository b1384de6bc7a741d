import { useSyncExternalStore } from 'react'

const KEY = 'plumbline.key'
const ISSUER = 'plumbline.issuer'
const UNAUTHORIZED = 401

const listeners = new Set<() => void>()

/** The tab's credential. An API key survives a reload, an issuer's token does not. */
let credential: string | undefined = sessionStorage.getItem(KEY) ?? undefined
let isRefused = false

/** Signs in with an API key, stored for the tab. */
export function signInWithKey(key: string): void {
  sessionStorage.setItem(KEY, key)
  take(key)
}

/** Signs in with a token, kept in memory only. The tab remembers which issuer it came from. */
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

/** Forgets the issuer of this tab. Called if the issuer does not recognise the browser. */
export function forgetIssuer(): void {
  sessionStorage.removeItem(ISSUER)
}

/** Forgets the credential. */
export function signOut(): void {
  forget()
  isRefused = false
  forgetIssuer()
  notifyListeners()
}

/** Whether the tab has a credential, and whether the service has rejected it. */
export function useSession(): { readonly isSignedIn: boolean; readonly isRefused: boolean } {
  const isSignedIn = useSyncExternalStore(subscribe, hasCredential)
  const refused = useSyncExternalStore(subscribe, wasRefused)
  return { isSignedIn, isRefused: refused }
}

/** Whether requests carry a credential. Plain links then do not work, because the browser sends no credential with them. */
export function hasCredential(): boolean {
  return credential !== undefined
}

/** `fetch` with the credential. A 401 shows the sign-in. The address stays, so the user returns to the same page. */
export const fetchSignedIn = signedIn((input, init) => fetch(input, init))

/** Adds the credential to another function that sends requests. */
export function signedIn(send: typeof fetch): typeof fetch {
  return async (input, init) => sendSignedIn(send, input, init)
}

async function sendSignedIn(send: typeof fetch, input: Parameters<typeof fetch>[0], init: RequestInit | undefined) {
  const headers = new Headers(init?.headers)
  const sent = credential
  if (sent !== undefined) headers.set('authorization', `Bearer ${sent}`)
  const response = await send(input, { ...init, headers })
  // Ignore a late answer to a request with an earlier credential.
  if (response.status === UNAUTHORIZED && sent === credential) {
    isRefused = sent !== undefined
    forget()
    notifyListeners()
  }
  return response
}

function take(value: string): void {
  credential = value
  isRefused = false
  notifyListeners()
}

function forget(): void {
  credential = undefined
  sessionStorage.removeItem(KEY)
}

function wasRefused(): boolean {
  return isRefused
}

function notifyListeners(): void {
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
