import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigurationError } from '../../core/errors.ts'
import { readAddress, serverKind } from '../../databases/addresses/read-address.ts'
import { splitUrl } from '../../databases/addresses/split-url.ts'
import { absoluteFile } from './places.ts'
import type { ProcessInputs } from './process-inputs.ts'
import type { GivenValue } from './setting-sources.ts'

/** The variable in which hosting platforms put the address of a database. Used if no setting names the billing database. */
export const FALLBACK = 'DATABASE_URL'

/** The source of an address, and parts filled in from other sources, such as `sslmode from PGSSLMODE`. */
interface AddressSource {
  /** Name of an option, a variable or a file; undefined for the default. */
  readonly source: string | undefined
  readonly filledIn: readonly string[]
}

export interface AddressSources {
  readonly database: AddressSource
  readonly store: AddressSource
}

/** Takes the billing database from DATABASE_URL if no setting names it, and fills in missing parts of the addresses. */
export function fillAddresses(given: Map<string, GivenValue>, inputs: ProcessInputs): AddressSources {
  const fallback = fallbackAddress(inputs)
  if (!given.has('database.url') && fallback !== undefined) given.set('database.url', { value: fallback, source: FALLBACK })
  const fill = (name: string): AddressSource => {
    const found = given.get(name)
    if (typeof found?.value !== 'string') return { source: found?.source, filledIn: [] }
    const { url, filledIn } = filledAddress(found.value, inputs, name)
    given.set(name, { ...found, value: url })
    return { source: found.source, filledIn }
  }
  return { database: fill('database.url'), store: fill('store.url') }
}

/** The address in DATABASE_URL; undefined if Plumbline does not support its kind of server. */
export function fallbackAddress({ environment }: Pick<ProcessInputs, 'environment'>): string | undefined {
  const url = environment[FALLBACK] ?? ''
  return serverKind(url) === undefined ? undefined : url
}

/** An address with its missing parts filled in, and the source of each, such as `sslmode from PGSSLMODE`. */
interface FilledAddress {
  readonly url: string
  readonly filledIn: readonly string[]
}

/** The supported variables of libpq by parameter. The driver itself reads PGPASSWORD and ~/.pgpass. */
const VARIABLES: Readonly<Record<string, string>> = {
  host: 'PGHOST',
  hostaddr: 'PGHOSTADDR',
  port: 'PGPORT',
  dbname: 'PGDATABASE',
  user: 'PGUSER',
  options: 'PGOPTIONS',
  sslmode: 'PGSSLMODE',
  sslrootcert: 'PGSSLROOTCERT',
  sslcert: 'PGSSLCERT',
  sslkey: 'PGSSLKEY',
  sslcrl: 'PGSSLCRL',
  sslnegotiation: 'PGSSLNEGOTIATION',
  ssl_min_protocol_version: 'PGSSLMINPROTOCOLVERSION',
  ssl_max_protocol_version: 'PGSSLMAXPROTOCOLVERSION',
  channel_binding: 'PGCHANNELBINDING',
  target_session_attrs: 'PGTARGETSESSIONATTRS',
  gssencmode: 'PGGSSENCMODE',
}
/**
 * Variables that `psql` follows but Plumbline cannot. If Plumbline ignored them, an address would mean something else than in
 * `psql`.
 */
const REFUSED = ['PGSERVICE', 'PGREQUIRESSL', 'PGREQUIREAUTH', 'PGSSLCRLDIR', 'PGSSLCERTMODE']
/** Files that libpq reads if they exist. */
const FILES: Readonly<Record<string, string>> = {
  sslrootcert: 'root.crt',
  sslcrl: 'root.crl',
  sslcert: 'postgresql.crt',
  sslkey: 'postgresql.key',
}

/**
 * Fills in missing parts of the address of a PostgreSQL server as libpq does: from its variables, then from the files in ~/.postgresql.
 * ConfigurationError for a variable that `psql` follows but Plumbline cannot.
 */
function filledAddress(url: string, { environment, cwd, home }: ProcessInputs, setting: string): FilledAddress {
  const split = serverKind(url) === 'postgres' ? splitUrl(url) : undefined
  if (split === undefined || typeof split === 'string') return { url, filledIn: [] }
  const refused = REFUSED.filter((name) => (environment[name] ?? '') !== '')
  if (refused.length > 0) {
    const text = `${refused.join(', ')} is set. psql follows it, but Plumbline does not; unset it and put its value into ${setting}`
    throw new ConfigurationError([text])
  }
  const written = new Set(split.parameters.map(([name]) => name))
  if (split.host !== '') written.add('host')
  if (split.port !== undefined) written.add('port')
  if (split.database !== undefined) written.add('dbname')
  if (split.user !== undefined) written.add('user')
  if (written.has('ssl')) written.add('sslmode')
  // PGHOSTADDR must not redirect a host that the address names.
  if (written.has('host')) written.add('hostaddr')
  const added: (readonly [name: string, value: string, from: string])[] = []
  for (const [name, variable] of Object.entries(VARIABLES)) {
    const value = environment[variable] ?? ''
    if (value !== '' && !written.has(name)) added.push([name, absoluteFile(name, value, cwd), variable])
  }
  const filled = withParameters(url, added)
  const files = home === undefined || !isEncrypted(filled) ? [] : filesIn(join(home, '.postgresql'), written, added)
  const filledIn = [...added, ...files].map(([name, , from]) => `${name} from ${from}`)
  return { url: withParameters(filled, files), filledIn }
}

type Added = readonly (readonly [name: string, value: string, from: string])[]

function filesIn(folder: string, written: ReadonlySet<string>, added: Added): Added {
  const isOpen = (name: string) => !written.has(name) && !added.some(([other]) => other === name)
  const there = (name: string) => existsSync(join(folder, FILES[name] ?? ''))
  const pair = ['sslcert', 'sslkey']
  const takesPair = pair.every((name) => isOpen(name) && there(name))
  const names = Object.keys(FILES).filter((name) => (pair.includes(name) ? takesPair : isOpen(name) && there(name)))
  return names.map((name) => {
    const path = join(folder, FILES[name] ?? '')
    return [name, path, path] as const
  })
}

// Parameters that contradict each other are refused later, with all other problems.
function isEncrypted(url: string): boolean {
  const reading = readAddress(url)
  return reading === undefined || 'problems' in reading || reading.address.tls.demand !== 'never'
}

function withParameters(url: string, added: Added): string {
  if (added.length === 0) return url
  const query = added.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')
  return `${url}${url.includes('?') ? (/[?&]$/.test(url) ? '' : '&') : '?'}${query}`
}
