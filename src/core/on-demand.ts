import { once } from './async.ts'

const known = new Set<() => unknown>()

/**
 * A part of the program that is loaded at the first call of the result. `loadAll` loads it too. Without it, a process that runs for months would
 * load the part from an installation that has been replaced meanwhile.
 */
export function onDemand<T>(load: () => T): () => T {
  const loaded = once(load)
  known.add(loaded)
  return loaded
}

/** Loads every part that `onDemand` knows, and the parts of these parts. Later calls read no file of the installation. */
export async function loadAll(): Promise<void> {
  // A set passes on what is added while it is read.
  for (const load of known) await load()
}
