import type { ServerState } from './server-state.ts'

type Place = Pick<ServerState, 'server' | 'storage'>

/** The tables that a filling goes on reading, of each server that shows them. */
export interface Storages {
  /** Notes what the filling is made of. */
  begin(place: Place): void
  /** False where the tables were made anew since, or where a server shows them that no filling of the process has met yet. */
  isKnown(place: Place): boolean
}

/**
 * `met` is shared by all fillings: behind one address there may be several servers, and each of them costs one filling, not one each time
 * that it answers. From then on the rows of the logs tell whether it has the same contents.
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
