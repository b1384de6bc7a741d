import { once } from '../../../src/core/async.ts'
import { JSON_BODY } from '../../support/product/json-body.ts'
import type { ServedPage, Visit } from '../../support/product/served-page.ts'

/** In whose name tests make and revoke keys. */
export const NOBODY = { id: 'test', kind: 'command_line', name: null } as const

/** Settings as somebody who is signed in sees them. */
export interface SignedIn {
  /** Makes a key with these scopes. */
  keyOf(scopes: readonly string[]): Promise<string>
  /** Asks the service with a key that may do everything; what has a body is a POST. */
  ask<Answer>(path: string, body?: unknown): Promise<Answer>
  /** Headers of one who may do everything. */
  headers(): Promise<{ readonly authorization: string }>
  /** The page of settings in a window of its own, for the key given or for one that may do everything. */
  open(key?: string): Promise<Visit>
  /** The page anew in a window that is signed in already; who changes something behind its back opens another one. */
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
