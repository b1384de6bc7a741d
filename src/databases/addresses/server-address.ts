/** When a connection is encrypted: never, only after the server refused a clear one, wherever the server offers it, or always. */
export type TlsDemand = 'never' | 'if_refused' | 'if_offered' | 'always'

/** What a certificate of the server must prove: nothing, its issuer, or its issuer and the host's name. */
export type TlsProof = 'nothing' | 'issuer' | 'name'

/** A file that an address names, with the parameter that names it. */
export interface NamedFile {
  readonly parameter: string
  readonly path: string
}

/** How a connection is encrypted. */
export interface TlsWish {
  /** As messages call it, in the words of the server's own client: `sslmode=verify-full`. */
  readonly mode: string
  readonly demand: TlsDemand
  readonly proof: TlsProof
  /** Certificates of the authorities that are trusted; `system` for those that this machine trusts. */
  readonly authorities: NamedFile | 'system' | undefined
  readonly certificate: NamedFile | undefined
  readonly key: NamedFile | undefined
  readonly passphrase: string | undefined
  readonly revoked: NamedFile | undefined
  readonly oldest: TlsVersion | undefined
  readonly newest: TlsVersion | undefined
  /** TLS begins with the first byte, without asking the server first (PostgreSQL 17). */
  readonly isDirect: boolean
}

export type TlsVersion = 'TLSv1' | 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3'

/** Address of a database server, as both the billing database and the store are reached. */
export interface ServerAddress {
  readonly kind: 'postgres' | 'mysql'
  /** Name or number, IPv6 without brackets. A certificate is judged by it. */
  readonly host: string
  /** The number that is dialled in place of the host's name. */
  readonly dialled: string | undefined
  /** Folder of the socket (PostgreSQL), or the socket itself (MySQL); then host and port are not dialled. */
  readonly socket: string | undefined
  readonly port: number
  readonly user: string | undefined
  readonly password: string | undefined
  readonly database: string | undefined
  readonly tls: TlsWish
  readonly connectTimeoutMs: number | undefined
  /** Settings of the session that the address carries (PostgreSQL). */
  readonly options: string | undefined
  readonly applicationName: string | undefined
  /** Whether a login is bound to the server's certificate where the server offers it (PostgreSQL). */
  readonly isBound: boolean
  /** Whether a password may be encrypted with a key that the server sends over a clear connection (MySQL). */
  readonly takesPublicKey: boolean
}

/** A parsed address, or what is wrong with it. Problems quote no value. */
export type Reading = { readonly address: ServerAddress } | { readonly problems: readonly string[] }

type Present<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> }

/** The entries that have a value: drivers tell an option that is undefined from one that is absent. */
export function present<T extends object>(options: T): Present<T> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Present<T>
}
