import type { ServerState } from '../changes/server-state.ts'

type Place = Pick<ServerState, 'server' | 'storage'>

/** Remembers, for each server, the storage from which a filling continues to read. */
interface Storages {
  /** Records the source of the filling. */
  begin(place: Place): void
  /** False if the tables were created again since, or if the server is new to all fillings of the process. */
  isKnown(place: Place): boolean
}

/**
 * All fillings share `met`. One address may lead to several servers. The first look at each server causes a new filling. After
 * that, the rows of the logs show whether the server has the same contents.
 */
export function createStorages(met: Set<string>): Storages {
  const own = new Map<string, string>()
  return {
    begin(place) {
      own.set(place.server, place.storage)
      met.add(nameOf(place))
    },
    isKnown(place) {
      const { server, storage } = place
      const known = own.get(server)
      if (known === storage) return true
      const isMet = known === undefined && met.has(nameOf(place))
      met.add(nameOf(place))
      if (isMet) own.set(server, storage)
      return isMet
    },
  }
}

function nameOf({ server, storage }: Place): string {
  return JSON.stringify([server, storage])
}
