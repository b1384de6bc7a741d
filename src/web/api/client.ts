import { createClient } from '../../client/index.ts'
import { fetchSignedIn } from '../auth/session.ts'

/** Where the service is: the page's own `<base>`, without the slash at its end. */
export const BASE_URL = document.baseURI.replace(/\/+$/, '')

/** What stands before every path of the service: `server.base_path`, else nothing. */
export const BASE_PATH = new URL(BASE_URL).pathname.replace(/\/+$/, '')

/** The only way to anything that the page shows. */
export const client = createClient({ baseUrl: BASE_URL, fetch: fetchSignedIn })
