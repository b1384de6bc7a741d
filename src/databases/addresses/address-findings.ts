import { isPublic } from './public-host.ts'
import { placeOf, readAddress } from './read-address.ts'
import type { ServerAddress } from './server-address.ts'

/** A finding of `check` about an address. */
interface AddressFinding {
  readonly name: string
  readonly level: 'ok' | 'warning'
  readonly message: string
}

/** An address of the configuration. */
export interface ConfiguredAddress {
  readonly setting: 'database.url' | 'store.url'
  readonly url: string | undefined
  /** The option, variable or file that names it. */
  readonly source: string | undefined
  /** Parts of the address that come from elsewhere: `sslmode from PGSSLMODE`. */
  readonly filledIn: readonly string[]
}

/** The servers of a configuration, the source of each address and its encryption. Warns of each public host without TLS. */
export function addressFindings(addresses: readonly ConfiguredAddress[]): readonly AddressFinding[] {
  return addresses.flatMap((configured) => {
    const reading = configured.url === undefined ? undefined : readAddress(configured.url)
    if (reading === undefined || !('address' in reading)) return []
    const { address } = reading
    const told: AddressFinding = { name: 'address', level: 'ok', message: addressText(configured, address) }
    const warning = clearToPublic(address)
    return warning === undefined
      ? [told]
      : [told, { name: 'address', level: 'warning', message: `${configured.setting}: ${warning}` }]
  })
}

function addressText({ setting, source, filledIn }: ConfiguredAddress, address: ServerAddress): string {
  const parts = [
    `${setting}${source === undefined ? '' : ` from ${source}`}: ${placeOf(address)}`,
    ...(address.socket === undefined ? [address.tls.mode] : []),
    ...filledIn,
  ]
  return parts.join(', ')
}

const REMEDIES: Readonly<Record<ServerAddress['kind'], string>> = {
  postgres: 'sslmode=verify-full and sslrootcert',
  mysql: 'ssl-mode=VERIFY_IDENTITY and ssl-ca',
  trino: 'sslmode=verify-full',
}

/** The reason why the connection to a host should be encrypted and is not. Undefined if it is, or if it stays in a private network. */
function clearToPublic(address: ServerAddress): string | undefined {
  const { kind, host, tls } = address
  if (tls.demand === 'always' || !isPublic(address)) return undefined
  const remedy = REMEDIES[kind]
  const consequence = tls.demand === 'never' ? 'is not encrypted' : 'is only encrypted if nobody in between prevents it'
  return `the connection to the public host ${host} ${consequence} (${tls.mode}); write ${remedy} into the address`
}
