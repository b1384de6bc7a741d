/** When a connection is encrypted: never, only if the server refuses a clear one, if the server offers it, or always. */
type TlsDemand = 'never' | 'if_refused' | 'if_offered' | 'always'

/** The proof that the server's certificate must give: nothing, its issuer, or its issuer and the host's name. */
export type TlsProof = 'nothing' | 'issuer' | 'name'

/** A file that an address names, with the name of the parameter. */
export interface NamedFile {
  readonly parameter: string
  readonly path: string
}

/** How a connection is encrypted. */
export interface TlsWish {
  /** Name of the mode in messages, in the words of the server's own client: `sslmode=verify-full`. */
  readonly mode: string
  readonly demand: TlsDemand
  readonly proof: TlsProof
  /** Certificates of the trusted authorities. `system` means those that this machine trusts. */
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

/** Address of a database server. The billing database and Plumbline's own database both have one. Only the former may be on Trino. */
export interface ServerAddress {
  readonly kind: 'postgres' | 'mysql' | 'trino'
  /** Name or IP address, IPv6 without brackets. The certificate is compared with it. */
  readonly host: string
  /** The IP address to dial instead of the host's name. */
  readonly dialled: string | undefined
  /** Folder of the socket (PostgreSQL), or the socket itself (MySQL). Host and port are then not dialled. */
  readonly socket: string | undefined
  readonly port: number
  readonly user: string | undefined
  readonly password: string | undefined
  /** On Trino `catalog/schema`. */
  readonly database: string | undefined
  readonly tls: TlsWish
  readonly connectTimeoutMs: number | undefined
  /** Settings of the session that the address carries (PostgreSQL). */
  readonly options: string | undefined
  readonly applicationName: string | undefined
  /** Whether a login is bound to the server's certificate if the server offers it (PostgreSQL). */
  readonly isBound: boolean
  /** Whether a password may be encrypted with a key that the server sends over a clear connection (MySQL). */
  readonly takesPublicKey: boolean
}

/** A parsed address, or its problems. Problems quote no value. */
export type Reading = { readonly address: ServerAddress } | { readonly problems: readonly string[] }

type Present<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> }

/** The entries that have a value. Drivers treat an option that is undefined differently from an absent one. */
export function present<T extends object>(options: T): Present<T> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Present<T>
}
