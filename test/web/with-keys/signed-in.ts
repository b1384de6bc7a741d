import { once } from '../../../src/core/async.ts'
import { JSON_BODY } from '../../support/product/json-body.ts'
import type { ServedPage, Visit } from '../../support/product/served-page.ts'

/** The actor of keys that tests create and revoke. */
export const NOBODY = { id: 'test', kind: 'command_line', name: null } as const

/** Settings for a signed-in user. */
export interface SignedIn {
  /** Creates a key with these scopes. */
  keyOf(scopes: readonly string[]): Promise<string>
  /** Sends a request with an admin key; a POST if there is a body. */
  ask<Answer>(path: string, body?: unknown): Promise<Answer>
  /** Headers with an admin key. */
  headers(): Promise<{ readonly authorization: string }>
  /** Opens Settings in a new window, with the given key or an admin key. */
  open(key?: string): Promise<Visit>
  /** Opens Settings in the shared, signed-in window. A test that changes data outside the page needs a new window. */
  openAgain(): Promise<Visit>
}

export function signedIn(served: ServedPage): SignedIn {
  const keyOf = async (scopes: readonly string[]) =>
    (await served.engine.auth.keys.create({ name: scopes.join(), scopes }, { actor: NOBODY })).key
  const admin = once(() => keyOf(['admin']))
  const headers = async () => ({ authorization: `Bearer ${await admin()}` })
  const open = async (key?: string) => {
    const visit = await served.visit('/settings')
    await visit.page.getByLabel('API key').fill(key ?? (await admin()))
    await visit.page.getByRole('button', { name: 'Sign in' }).click()
    await visit.page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
    await visit.settled()
    return visit
  }
  const shared = once(() => open())
  return {
    keyOf,
    headers,
    open,
    async ask<Answer>(path: string, body?: unknown) {
      const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
      const response = await fetch(served.url + path, { headers: { ...JSON_BODY, ...(await headers()) }, ...sent })
      if (!response.ok) throw new Error(`${path} answers ${response.status}`)
      return (await response.json()) as Answer
    },
    async openAgain() {
      const window = await shared()
      await window.beginAt('/settings')
      return window
    },
  }
}
