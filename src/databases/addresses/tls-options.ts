import { readFileSync } from 'node:fs'
import * as tls from 'node:tls'
import { ConfigurationError } from '../../core/errors.ts'
import { type NamedFile, present, type ServerAddress, type TlsWish } from './server-address.ts'

/** Options of a TLS connection, with the contents of its files. */
export interface TlsOptions {
  readonly ca?: string
  readonly cert?: string
  readonly key?: string
  readonly passphrase?: string
  readonly crl?: string
  readonly minVersion?: tls.SecureVersion
  readonly maxVersion?: tls.SecureVersion
  readonly rejectUnauthorized: boolean
}

const CERTIFICATE = /-----BEGIN (TRUSTED |X509 )?CERTIFICATE-----/
/** Bundles of trusted authorities on common systems, for a Node that cannot ask the system. */
const BUNDLES = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
]

/** Reads the files that an address names, once. ConfigurationError with the setting, the parameter and the file. */
export function tlsOptions({ tls: wish }: ServerAddress, setting: string): TlsOptions | undefined {
  if (wish.demand === 'never') return undefined
  const read = (file: NamedFile | undefined) => (file === undefined ? undefined : textOf(file, setting))
  const options = {
    ...present({
      ca: wish.authorities === 'system' ? systemAuthorities() : authoritiesIn(wish.authorities, setting),
      cert: read(wish.certificate),
      key: read(wish.key),
      passphrase: wish.passphrase,
      crl: read(wish.revoked),
      minVersion: wish.oldest,
      maxVersion: wish.newest,
    }),
    rejectUnauthorized: wish.proof !== 'nothing',
  }
  refuseUnusable(options, wish, setting)
  return options
}

function textOf({ parameter, path }: NamedFile, setting: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    throw new ConfigurationError([`${setting}: ${parameter}: ${path} cannot be read (${code})`])
  }
}

// With no certificate, Node would trust nobody and report that only when it connects.
function authoritiesIn(file: NamedFile | undefined, setting: string): string | undefined {
  if (file === undefined) return undefined
  const text = textOf(file, setting)
  if (CERTIFICATE.test(text)) return text
  throw new ConfigurationError([`${setting}: ${file.parameter}: ${file.path} holds no certificate in PEM`])
}

// Only OpenSSL can check the rest: form, passphrase, and whether key and certificate belong together.
function refuseUnusable(options: TlsOptions, wish: TlsWish, setting: string): void {
  const { rejectUnauthorized, ...context } = options
  try {
    tls.createSecureContext(context)
  } catch (error) {
    const files = [wish.authorities, wish.certificate, wish.key, wish.revoked].flatMap((file) =>
      file === undefined || file === 'system' ? [] : [`${file.parameter} ${file.path}`],
    )
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
    throw new ConfigurationError([`${setting}: ${files.join(', ')}: cannot be used together${code}`])
  }
}

interface AskingTls {
  getCACertificates?(type: 'system'): string[]
}

// Node 22.15 and later can ask the system. On older versions this reads the first of the usual bundles, or else the authorities
// that come with Node.
function systemAuthorities(): string {
  const asked = (tls as AskingTls).getCACertificates?.('system') ?? []
  if (asked.length > 0) return asked.join('\n')
  for (const path of BUNDLES) {
    try {
      return readFileSync(path, 'utf8')
    } catch {
      // This system has no bundle at this path. Try the next one.
    }
  }
  return tls.rootCertificates.join('\n')
}
