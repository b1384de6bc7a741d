import { patienceFor } from '../../src/cache/mirror/options.ts'

/** The patience of a soaked cache, because a long run has a low priority on a machine with other work. */
export const PATIENCE = patienceFor(600_000)
