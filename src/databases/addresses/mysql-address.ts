import { isIP } from 'node:net'
import type { NamedFile, Reading, TlsProof, TlsVersion, TlsWish } from './server-address.ts'
import { type Parameters, readParameters, type SplitUrl } from './split-url.ts'

const MYSQL_PORT = 3306

/** Options of the `mysql` and `mariadb` clients that Plumbline reads. */
const MYSQL_PARAMETERS = [
  'ssl-mode',
  'ssl-ca',
  'ssl-cert',
  'ssl-key',
  'tls-version',
  'ssl',
  'ssl-verify-server-cert',
  'get-server-public-key',
  'socket',
  'connect-timeout',
  'charset',
] as const

/** Names of these options in drivers of other languages. */
const SYNONYMS: Readonly<Record<string, string>> = {
  sslMode: 'ssl-mode',
  sslmode: 'ssl-mode',
  socketPath: 'socket',
  allowPublicKeyRetrieval: 'get-server-public-key',
}

const MODES = ['DISABLED', 'PREFERRED', 'REQUIRED', 'VERIFY_CA', 'VERIFY_IDENTITY'] as const
const VERSIONS: readonly TlsVersion[] = ['TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3']
const MOST_SECONDS = 86_400

type Mode = (typeof MODES)[number]

/** The address of a MySQL or MariaDB server. Every word means the same as to that server's client. */
export function mysqlAddress(url: SplitUrl): Reading {
  const given = url.parameters.map(([name, value]) => [name, canonical(name) === 'ssl-mode' ? upper(value) : value] as const)
  const parameters = readParameters(given, MYSQL_PARAMETERS, canonical)
  const socket = parameters.text('socket')
  const seconds = parameters.wholeNumber('connect-timeout', 1, MOST_SECONDS)
  parameters.word('charset', ['utf8mb4'])
  const takesPublicKey = parameters.flag('get-server-public-key') ?? false
  const host = url.host === '' ? 'localhost' : url.host
  const tls = wishOf(parameters, host, socket !== undefined)
  if (parameters.problems.length > 0) return { problems: parameters.problems }
  return {
    address: {
      kind: 'mysql',
      host,
      dialled: undefined,
      socket,
      port: Number(url.port ?? MYSQL_PORT),
      user: url.user,
      password: url.password,
      database: url.database,
      tls,
      connectTimeoutMs: seconds === undefined ? undefined : seconds * 1_000,
      options: undefined,
      applicationName: undefined,
      isBound: false,
      takesPublicKey,
    },
  }
}

// These clients accept `ssl_mode` for `ssl-mode`, and its words in upper or lower case.
function canonical(name: string): string {
  return SYNONYMS[name] ?? name.replaceAll('_', '-')
}

function upper(word: string): string {
  return word.toUpperCase().replaceAll('-', '_')
}

function wishOf(parameters: Parameters, host: string, isSocket: boolean): TlsWish {
  const file = (parameter: string): NamedFile | undefined => {
    const path = parameters.text(parameter)
    return path === undefined ? undefined : { parameter, path }
  }
  const authorities = file('ssl-ca')
  const { mode, word, trustsSystem } = modeOf(parameters, authorities !== undefined)
  const proves = mode === 'VERIFY_CA' || mode === 'VERIFY_IDENTITY'
  if (proves && authorities === undefined && !trustsSystem)
    parameters.problem(`has ${word} without ssl-ca; name the file of the authority's certificate`)
  if (mode === 'VERIFY_IDENTITY' && isIP(host) !== 0 && !isSocket)
    parameters.problem(`has ${word} and a host that is a number; name the host as its certificate does, or use VERIFY_CA`)
  const certificate = file('ssl-cert')
  const key = file('ssl-key')
  if (certificate === undefined && key !== undefined) parameters.problem('has ssl-key without ssl-cert')
  const versions = versionsOf(parameters)
  return {
    mode: word,
    demand: mode === 'DISABLED' ? 'never' : mode === 'PREFERRED' ? (isSocket ? 'never' : 'if_offered') : 'always',
    proof: proofOf(mode, authorities !== undefined),
    authorities: authorities ?? (trustsSystem ? 'system' : undefined),
    certificate,
    key: key ?? certificate,
    passphrase: undefined,
    revoked: undefined,
    oldest: versions[0],
    newest: versions.at(-1),
    isDirect: false,
  }
}

interface WrittenMode {
  readonly mode: Mode
  /** The parameter that chose the mode, for messages: `ssl-mode=VERIFY_CA`. */
  readonly word: string
  /**
   * True if the machine's authorities are trusted when the address names none, as in MariaDB's client. MySQL's client trusts none
   * then.
   */
  readonly trustsSystem: boolean
}

function modeOf(parameters: Parameters, hasAuthorities: boolean): WrittenMode {
  const mode = parameters.word('ssl-mode', MODES)
  if (parameters.text('ssl')?.startsWith('{') === true) {
    parameters.problem('has a parameter ssl in JSON, which is the driver’s own; write ssl-mode, ssl-ca, ssl-cert and ssl-key')
    return { mode: 'REQUIRED', word: 'ssl', trustsSystem: true }
  }
  const isOn = parameters.flag('ssl')
  const isVerified = parameters.flag('ssl-verify-server-cert')
  if (mode !== undefined) {
    if (isOn !== undefined || isVerified !== undefined)
      parameters.problem('has ssl-mode, which says all, and ssl or ssl-verify-server-cert as well')
    return { mode, word: `ssl-mode=${mode}`, trustsSystem: false }
  }
  if (isOn === false) {
    if (isVerified === true) parameters.problem('has ssl=false and ssl-verify-server-cert=true')
    return { mode: 'DISABLED', word: 'ssl=false', trustsSystem: false }
  }
  if (isVerified === true) return { mode: 'VERIFY_IDENTITY', word: 'ssl-verify-server-cert=true', trustsSystem: true }
  if (isOn === true) return { mode: 'REQUIRED', word: 'ssl=true', trustsSystem: false }
  // An address that names only an authority means VERIFY_CA, as in the server's client.
  const implied = hasAuthorities ? 'VERIFY_CA' : 'PREFERRED'
  return { mode: implied, word: `ssl-mode=${implied}`, trustsSystem: false }
}

function proofOf(mode: Mode, hasAuthorities: boolean): TlsProof {
  if (mode === 'VERIFY_IDENTITY') return 'name'
  return mode === 'VERIFY_CA' || hasAuthorities ? 'issuer' : 'nothing'
}

// A list of adjacent versions, in any order: `TLSv1.2,TLSv1.3`.
function versionsOf(parameters: Parameters): readonly TlsVersion[] {
  const text = parameters.text('tls-version')
  if (text === undefined) return []
  const words = text.split(',').map((word) => word.trim())
  const named = VERSIONS.filter((version) => words.includes(version))
  const [first] = named
  const isRow = first !== undefined && named.every((version, index) => VERSIONS[VERSIONS.indexOf(first) + index] === version)
  if (isRow && named.length === new Set(words).size) return named
  parameters.problem(`has a parameter tls-version that is not a list without gaps of ${VERSIONS.join(', ')}`)
  return []
}
