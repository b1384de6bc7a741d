import { createClient } from '../../client/index.ts'
import { fetchSignedIn } from '../auth/session.ts'

/** Address of the service: the page's `<base>` without its trailing slash. */
export const BASE_URL = document.baseURI.replace(/\/+$/, '')

/** Prefix of every path: `server.base_path`, or empty. */
export const BASE_PATH = new URL(BASE_URL).pathname.replace(/\/+$/, '')

/** Every request for data goes through this client. */
export const client = createClient({ baseUrl: BASE_URL, fetch: fetchSignedIn })
