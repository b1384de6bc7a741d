import { patienceFor } from '../../src/mirror/options.ts'

/** The patience of a soaked cache: a long run works beside others, at a low priority. */
export const PATIENCE = patienceFor(600_000)
