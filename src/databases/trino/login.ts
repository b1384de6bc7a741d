import { readFile } from 'node:fs/promises'
import { ConfigurationError } from '../../core/errors.ts'
import type { ServerAddress } from '../addresses/server-address.ts'
import { tlsOptions } from '../addresses/tls-options.ts'
import { clearSecret, webHost } from '../addresses/trino-address.ts'
import type { TrinoOptions } from '../options.ts'
import { TrinoFailure } from './errors.ts'
import type { TransportOptions } from './transport.ts'

/** The way to a coordinator, and who asks. */
interface Login {
  readonly tls: TransportOptions['tls']
  readonly origin: string
  /** The headers that say who asks. A token is read each time, because it is replaced while the process runs. */
  login(): Promise<Readonly<Record<string, string>>>
}

const SETTINGS = {
  database: { url: 'database.url', token: 'database.token_file' },
  lake: { url: 'lake.publish_url', token: 'lake.publish_token_file' },
}

/** ConfigurationError for a file that cannot be used, two logins, or a token that would be sent in clear text. */
export function loginOf(address: ServerAddress, { tokenFile, setting = 'database' }: TrinoOptions = {}): Login {
  const names = SETTINGS[setting]
  const { host, port, user, password, tls: wish } = address
  const problem = tokenFile === undefined ? undefined : clearSecret(address, 'token')
  if (problem !== undefined) throw new ConfigurationError([`${names.url}: ${problem}`])
  if (tokenFile !== undefined && password !== undefined)
    throw new ConfigurationError([`${names.token}: ${names.url} has a password as well; use one of them`])
  const tls = tlsOptions(address, names.url)
  return {
    tls: tls && { ...tls, checksName: wish.proof === 'name' },
    origin: new URL(`${tls === undefined ? 'http' : 'https'}://${webHost(host)}:${port}`).origin,
    async login() {
      // A token or a certificate says who asks. The address may say it as well.
      const isProven = tokenFile !== undefined || wish.certificate !== undefined
      const named = user === undefined && isProven ? {} : { 'x-trino-user': user ?? 'plumbline' }
      if (tokenFile !== undefined) return { ...named, authorization: `Bearer ${await tokenIn(tokenFile)}` }
      if (password === undefined) return named
      return { ...named, authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` }
    },
  }
}

async function tokenIn(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new TrinoFailure('TOKEN_FILE', `the token cannot be read: ${String(error)}`)
  })
  const token = text.trim()
  // Any other character would end the header.
  if (/^[\w.~+/=-]{1,16384}$/.test(token)) return token
  throw new TrinoFailure('TOKEN_FILE', 'the file holds no token')
}
