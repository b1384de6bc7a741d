import { createClient } from '../../client/index.ts'
import { fetchSignedIn } from '../auth/session.ts'
import { BASE_URL } from './base.ts'

/** The only way to anything that the page shows. */
export const client = createClient({ baseUrl: BASE_URL, fetch: fetchSignedIn })
