import { findPlaces } from '../support/databases/target-places.ts'
import { type BenchServer, connectServer } from './bench-database.ts'

/** Works on the servers of the targets, given as a comma-separated list, one after the other. */
export async function eachServer(targets: string, work: (server: BenchServer) => Promise<void>): Promise<void> {
  // biome-ignore lint/style/noProcessEnv: the run's own switches, no product configuration
  const { places, stop } = await findPlaces(process.env)
  try {
    for (const name of targets.split(',')) {
      const place = places.find((each) => each.name === name && name !== 'pglite')
      if (place === undefined) throw new Error(`no server for ${name}; set TEST_${name.toUpperCase()}_URL`)
      const server = await connectServer(place)
      try {
        await work(server)
      } finally {
        await server.close()
      }
    }
  } finally {
    await stop()
  }
}

/** Sizes of a comma-separated list. */
export function readSizes(sizes: string): readonly number[] {
  return sizes.split(',').map((text) => {
    const size = Number(text)
    if (!Number.isInteger(size) || size < 1) throw new Error(`--size: ${text} is no number of subscriptions`)
    return size
  })
}
