import { createClient, PlumblineError } from '../../client/index.ts'
import { BASE_URL } from '../api/base.ts'

const UNAUTHORIZED = 401

/** Whether the service knows a credential, before it is taken for the page's. Rejects where the service does not say. */
export async function isKnown(credential: string): Promise<boolean> {
  // What no header can carry is no credential.
  if (!/^[\x21-\x7e]+$/.test(credential)) return false
  const asking = createClient({ baseUrl: BASE_URL, headers: { authorization: `Bearer ${credential}` } })
  try {
    await asking.get('/auth/me')
    return true
  } catch (error) {
    if (error instanceof PlumblineError && error.status === UNAUTHORIZED) return false
    throw error
  }
}
