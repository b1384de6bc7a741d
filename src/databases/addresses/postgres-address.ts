import type { NamedFile, Reading, TlsProof, TlsVersion, TlsWish } from './server-address.ts'
import { type Parameters, readParameters, type SplitUrl } from './split-url.ts'

const POSTGRES_PORT = 5432

/** Parameters of libpq that Plumbline reads. */
const POSTGRES_PARAMETERS = [
  'host',
  'hostaddr',
  'port',
  'dbname',
  'user',
  'password',
  'connect_timeout',
  'application_name',
  'options',
  'client_encoding',
  'sslmode',
  'ssl',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'sslpassword',
  'sslcrl',
  'sslnegotiation',
  'ssl_min_protocol_version',
  'ssl_max_protocol_version',
  'channel_binding',
  'target_session_attrs',
  'gssencmode',
] as const

const MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const
const VERSIONS: readonly TlsVersion[] = ['TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3']
const MOST_SECONDS = 86_400

/** The address of a PostgreSQL server. Every word means the same as to libpq. */
export function postgresAddress(url: SplitUrl): Reading {
  const parameters = readParameters(url.parameters, POSTGRES_PARAMETERS)
  const host = parameters.text('host') ?? url.host
  const number = parameters.text('hostaddr')
  const port = parameters.wholeNumber('port', 1, 65_535) ?? Number(url.port ?? POSTGRES_PORT)
  const seconds = parameters.wholeNumber('connect_timeout', 1, MOST_SECONDS)
  if (host.includes(',') || number?.includes(',') === true)
    parameters.problem('names several hosts; name one, Plumbline asks one server')
  if (host.startsWith('@')) parameters.problem('has a parameter host that is an abstract socket, which Node cannot dial')
  // Words that change nothing here are accepted if they ask for Plumbline's own behaviour.
  parameters.word('client_encoding', ['UTF8', 'utf8', 'auto'])
  parameters.word('target_session_attrs', ['any'])
  parameters.word('gssencmode', ['disable'])
  const binding = parameters.word('channel_binding', ['disable', 'prefer'])
  const tls = wishOf(parameters, host === '' ? number : host)
  if (parameters.problems.length > 0) return { problems: parameters.problems }
  const socket = host.startsWith('/') && number === undefined ? host : undefined
  return {
    address: {
      kind: 'postgres',
      host: host === '' ? (number ?? 'localhost') : host,
      dialled: number,
      socket,
      port,
      user: parameters.text('user') ?? url.user,
      password: parameters.text('password') ?? url.password,
      database: parameters.text('dbname') ?? url.database,
      // A socket does not leave the machine: libpq ignores sslmode there.
      tls: socket === undefined ? tls : { ...tls, demand: 'never' },
      connectTimeoutMs: seconds === undefined ? undefined : seconds * 1_000,
      options: parameters.text('options'),
      applicationName: parameters.text('application_name'),
      isBound: binding !== 'disable',
      takesPublicKey: false,
    },
  }
}

function wishOf(parameters: Parameters, host: string | undefined): TlsWish {
  const file = (parameter: string): NamedFile | undefined => {
    const path = parameters.text(parameter)
    return path === undefined ? undefined : { parameter, path }
  }
  const root = file('sslrootcert')
  const isSystem = root?.path === 'system'
  const mode = modeOf(parameters) ?? (isSystem ? 'verify-full' : 'prefer')
  const authorities = isSystem ? 'system' : root
  const proves = mode === 'verify-ca' || mode === 'verify-full'
  if (isSystem && mode !== 'verify-full')
    parameters.problem(`has sslrootcert=system with sslmode=${mode}; authorities that sign for anybody need sslmode=verify-full`)
  if (proves && authorities === undefined)
    parameters.problem(
      `has sslmode=${mode} without sslrootcert; name the file of the authority's certificate, or system for those that this machine trusts`,
    )
  if (mode === 'verify-full' && host === undefined) parameters.problem('has sslmode=verify-full and no host to verify')
  const [certificate, key] = [file('sslcert'), file('sslkey')]
  if ((certificate === undefined) !== (key === undefined)) parameters.problem('needs sslcert and sslkey together')
  const isDirect = parameters.word('sslnegotiation', ['postgres', 'direct']) === 'direct'
  if (isDirect && (mode === 'disable' || mode === 'allow' || mode === 'prefer'))
    parameters.problem(`has sslnegotiation=direct with sslmode=${mode}; it needs require, verify-ca or verify-full`)
  return {
    mode: `sslmode=${mode}`,
    demand: mode === 'disable' ? 'never' : mode === 'allow' ? 'if_refused' : mode === 'prefer' ? 'if_offered' : 'always',
    proof: proofOf(mode, authorities !== undefined),
    authorities,
    certificate,
    key,
    passphrase: parameters.text('sslpassword'),
    revoked: file('sslcrl'),
    oldest: parameters.word('ssl_min_protocol_version', VERSIONS),
    newest: parameters.word('ssl_max_protocol_version', VERSIONS),
    isDirect,
  }
}

/** `ssl=true` comes from URLs of JDBC. libpq reads it as well. */
function modeOf(parameters: Parameters): (typeof MODES)[number] | undefined {
  const mode = parameters.word('sslmode', MODES)
  const isJdbc = parameters.word('ssl', ['true']) !== undefined
  if (mode !== undefined && isJdbc) parameters.problem('has both ssl and sslmode; sslmode says all')
  return mode ?? (isJdbc ? 'require' : undefined)
}

// If the address names an authority, the certificate is checked in every mode.
function proofOf(mode: (typeof MODES)[number], hasAuthorities: boolean): TlsProof {
  if (mode === 'verify-full') return 'name'
  return hasAuthorities ? 'issuer' : 'nothing'
}
