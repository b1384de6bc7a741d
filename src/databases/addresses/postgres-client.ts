import type { Duplex } from 'node:stream'
import { PostgresSocket } from './postgres-socket.ts'
import { present, type ServerAddress } from './server-address.ts'
import { tlsOptions } from './tls-options.ts'

/** Options of the driver `pg` for the place of a server and the way to it. */
interface PostgresClientOptions {
  readonly host: string
  readonly port: number
  readonly user?: string
  readonly password?: string
  readonly database?: string
  readonly ssl: false
  readonly stream?: () => Duplex
  readonly enableChannelBinding: boolean
  readonly client_encoding: 'UTF8'
  readonly options?: string
  readonly application_name?: string
  readonly connectionTimeoutMillis?: number
}

/**
 * Options of the driver for an address. The driver does not handle TLS: it knows no fallback and treats `require` as `verify-full`.
 * ConfigurationError for a file that cannot be used.
 */
export function postgresClient(address: ServerAddress, setting: string): PostgresClientOptions {
  const { host, dialled, socket, port, user, password, database, options, applicationName, connectTimeoutMs } = address
  const tls = tlsOptions(address, setting)
  return {
    host: socket ?? dialled ?? host,
    port,
    ssl: false,
    enableChannelBinding: tls !== undefined && address.isBound,
    client_encoding: 'UTF8',
    ...present({
      user,
      password,
      database,
      stream: tls === undefined ? undefined : () => new PostgresSocket(address, tls),
      options,
      application_name: applicationName,
      connectionTimeoutMillis: connectTimeoutMs,
    }),
  }
}
