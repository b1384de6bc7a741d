import { isIPv6 } from 'node:net'
import { isLocal } from './public-host.ts'
import type { NamedFile, Reading, ServerAddress, TlsWish } from './server-address.ts'
import { type Parameters, readParameters, type SplitUrl } from './split-url.ts'

/** The ports of a coordinator with and without TLS. */
const [TLS_PORT, PLAIN_PORT] = [443, 8080]

const TRINO_PARAMETERS = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'sslpassword', 'connect_timeout'] as const
const MODES = ['disable', 'require', 'verify-ca', 'verify-full'] as const
const MOST_SECONDS = 86_400

/** Names travel in HTTP headers, which hold printable ASCII. */
const NAME = /^[!-~]{1,128}$/
/** A colon ends the user name in the header of a login. */
const USER = /^[!-9;-~]{1,128}$/

/** The address of a Trino coordinator: `trino://user:password@host:port/catalog/schema`. Its `database` is `catalog/schema`, or a catalog alone. */
export function trinoAddress(url: SplitUrl): Reading {
  const parameters = readParameters(url.parameters, TRINO_PARAMETERS)
  const seconds = parameters.wholeNumber('connect_timeout', 1, MOST_SECONDS)
  const host = url.host === '' ? 'localhost' : url.host
  const at = { host, dialled: undefined, socket: undefined }
  if (webHost(host) === undefined) parameters.problem('has a host that is no plain name or IP address')
  const tls = wishOf(parameters, isLocal(at))
  const names = url.database?.split('/') ?? []
  if (![1, 2].includes(names.length) || !names.every((name) => NAME.test(name)))
    parameters.problem('does not name a catalog and a schema; write trino://user@host:port/catalog/schema')
  if (url.user !== undefined && !USER.test(url.user))
    parameters.problem('has a user name with a blank, a colon or a character beyond ASCII, which Trino does not take')
  if (url.password !== undefined && url.user === undefined) parameters.problem('has a password and no user name')
  if (parameters.problems.length > 0) return { problems: parameters.problems }
  const address: ServerAddress = {
    kind: 'trino',
    ...at,
    port: Number(url.port ?? (tls.demand === 'never' ? PLAIN_PORT : TLS_PORT)),
    user: url.user,
    password: url.password,
    // Trino's names have no upper case.
    database: names.join('/').toLowerCase(),
    tls,
    connectTimeoutMs: seconds === undefined ? undefined : seconds * 1_000,
    options: undefined,
    applicationName: undefined,
    isBound: false,
    takesPublicKey: false,
  }
  const problem = url.password === undefined ? undefined : clearSecret(address, 'password')
  return problem === undefined ? { address } : { problems: [problem] }
}

/**
 * The host as HTTP takes it. Undefined for text that an address would read in another way: a part of it as the path or the user, or other
 * digits. Then the connection could lead to another machine than the one that was judged.
 */
export function webHost(host: string): string | undefined {
  const place = isIPv6(host) ? `[${host}]` : host
  if (!URL.canParse(`http://${place}`)) return undefined
  const { hostname, host: whole, href } = new URL(`http://${place}`)
  const isWhole = hostname === whole && href === `http://${hostname}/`
  return isWhole && (isIPv6(host) || hostname === host.toLowerCase()) ? hostname : undefined
}

/** Refuses a secret that would cross a network in clear text. Undefined if it is encrypted or stays on this machine. */
export function clearSecret(address: ServerAddress, secret: 'password' | 'token'): string | undefined {
  if (address.tls.demand !== 'never' || isLocal(address)) return undefined
  return `would send the ${secret} in clear text (${address.tls.mode}); use sslmode=verify-full`
}

function wishOf(parameters: Parameters, isLocalHost: boolean): TlsWish {
  const file = (parameter: string): NamedFile | undefined => {
    const path = parameters.text(parameter)
    return path === undefined ? undefined : { parameter, path }
  }
  const root = file('sslrootcert')
  const isSystem = root?.path === 'system'
  const [certificate, key] = [file('sslcert'), file('sslkey')]
  const usesFiles = root !== undefined || certificate !== undefined || key !== undefined
  const mode = parameters.word('sslmode', MODES) ?? (isLocalHost && !usesFiles ? 'disable' : 'verify-full')
  if (mode === 'disable' && usesFiles) parameters.problem('has sslmode=disable and names certificates, which need TLS')
  if (mode === 'verify-ca' && (root === undefined || isSystem))
    parameters.problem('has sslmode=verify-ca without sslrootcert; authorities that sign for anybody need sslmode=verify-full')
  if ((certificate === undefined) !== (key === undefined)) parameters.problem('needs sslcert and sslkey together')
  const proves = mode === 'verify-full' || mode === 'verify-ca' || (mode === 'require' && root !== undefined)
  return {
    mode: `sslmode=${mode}`,
    demand: mode === 'disable' ? 'never' : 'always',
    proof: mode === 'verify-full' ? 'name' : proves ? 'issuer' : 'nothing',
    authorities: isSystem || (proves && root === undefined) ? 'system' : root,
    certificate,
    key,
    passphrase: parameters.text('sslpassword'),
    revoked: undefined,
    oldest: undefined,
    newest: undefined,
    isDirect: false,
  }
}
