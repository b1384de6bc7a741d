import { serverKind } from '../../databases/addresses/read-address.ts'
import { filledAddress, type Surroundings } from './ambient-address.ts'
import type { Given } from './given.ts'

/** The variable that names the billing database where nothing else does, as hosting platforms set it. */
export const FALLBACK = 'DATABASE_URL'

/** Where an address comes from, and which of its parts come from elsewhere: `sslmode from PGSSLMODE`. */
export interface AddressSource {
  /** Name of an option, a variable or a file; undefined for the default. */
  readonly source: string | undefined
  readonly filledIn: readonly string[]
}

export interface AddressSources {
  readonly database: AddressSource
  readonly store: AddressSource
}

/** Takes the address of the billing database from DATABASE_URL where nothing names one, and fills in what addresses leave open. */
export function fillAddresses(given: Map<string, Given>, surroundings: Surroundings): AddressSources {
  const fallback = fallbackAddress(surroundings)
  if (!given.has('database.url') && fallback !== undefined) given.set('database.url', { value: fallback, source: FALLBACK })
  const fill = (name: string): AddressSource => {
    const found = given.get(name)
    if (typeof found?.value !== 'string') return { source: found?.source, filledIn: [] }
    const { url, filledIn } = filledAddress(found.value, surroundings, name)
    given.set(name, { ...found, value: url })
    return { source: found.source, filledIn }
  }
  return { database: fill('database.url'), store: fill('store.url') }
}

/** The address in DATABASE_URL; undefined where it is that of a server which Plumbline does not read. */
export function fallbackAddress({ environment }: Pick<Surroundings, 'environment'>): string | undefined {
  const url = environment[FALLBACK] ?? ''
  return serverKind(url) === undefined ? undefined : url
}
