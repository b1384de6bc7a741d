import { createRequire } from 'node:module'
import * as net from 'node:net'
import { isLocal } from './public-host.ts'
import { present, type ServerAddress } from './server-address.ts'
import { type TlsOptions, tlsOptions } from './tls-options.ts'

/** Error code of a login that would encrypt the password with a key of unknown origin. */
export const NO_PUBLIC_KEY = 'PUBLIC_KEY_NOT_ALLOWED'

type PluginFactory = (options: { onServerPublicKey?: (key: Buffer) => void }) => (context: never) => (data: Buffer) => unknown

const load = createRequire(import.meta.url)

interface ConnectionConfig {
  ssl: unknown
  authPlugins?: object
}

/** Options of the driver `mysql2` for the place of a server and the way to it. */
interface MysqlClientOptions {
  readonly host: string
  readonly port: number
  readonly socketPath?: string
  readonly user?: string
  readonly password?: string
  readonly database?: string
  readonly ssl?: TlsOptions & { readonly verifyIdentity: boolean }
  readonly stream?: (options: { config: ConnectionConfig }) => net.Socket
  readonly connectTimeout?: number
}

const CLIENT_SSL = 0x800

/**
 * Options of the driver for an address. The driver uses TLS always or never, so the server's offer is read from its greeting. The greeting
 * comes before the driver sends anything. ConfigurationError for a file that cannot be used.
 */
export function mysqlClient(address: ServerAddress, setting: string): MysqlClientOptions {
  const { host, socket, port, user, password, database, connectTimeoutMs, tls: wish } = address
  const tls = tlsOptions(address, setting)
  const dial = ({ config }: { config: ConnectionConfig }) => {
    const dialled = net.connect({ port, host, noDelay: true, keepAlive: true })
    onGreeting(dialled, (offersTls) => {
      if (wish.demand === 'if_offered' && !offersTls) config.ssl = false
      if (config.ssl === false && !address.takesPublicKey && !isLocal(address)) config.authPlugins = withoutPublicKey()
    })
    return dialled
  }
  return {
    host,
    port,
    ...(socket === undefined ? { stream: dial } : { socketPath: socket }),
    ...(tls === undefined ? {} : { ssl: { ...tls, verifyIdentity: wish.proof === 'name' } }),
    ...present({ user, password, database, connectTimeout: connectTimeoutMs }),
  }
}

/** Reports whether the first packet of a server offers TLS. The driver listens to the socket later, so it reads the packet afterwards. */
function onGreeting(socket: net.Socket, tell: (offersTls: boolean) => void): void {
  let read = Buffer.alloc(0)
  const listen = (chunk: Buffer) => {
    read = Buffer.concat([read, chunk])
    if (read.length < 4 || read.length < 4 + read.readUIntLE(0, 3)) return
    socket.off('data', listen)
    tell(offersTls(read.subarray(4)))
  }
  socket.on('data', listen)
}

// Protocol 10: version up to a zero, connection id, eight bytes and a zero of the scramble, then the lower half of the capabilities.
function offersTls(greeting: Buffer): boolean {
  const flags = greeting.indexOf(0, 1) + 1 + 4 + 8 + 1
  return greeting[0] === 10 && greeting.length >= flags + 2 && (greeting.readUInt16LE(flags) & CLIENT_SSL) !== 0
}

/**
 * Logins of MySQL 8 encrypt the password with a key that the server sends. Over a clear connection, anyone in between can send a different
 * key. So the server's own client refuses it by default.
 */
function withoutPublicKey(): object {
  // The driver's types leave the plugins out. The driver is loaded already, because it has opened this connection.
  const { authPlugins: plugins } = load('mysql2') as { readonly authPlugins: Readonly<Record<string, PluginFactory | undefined>> }
  const refuse = () => {
    throw Object.assign(new Error('the server offers a key for the password over a clear connection'), { code: NO_PUBLIC_KEY })
  }
  return Object.fromEntries(
    ['caching_sha2_password', 'sha256_password'].flatMap((name) => {
      const plugin = plugins[name]
      return plugin === undefined ? [] : [[name, plugin({ onServerPublicKey: refuse })] as const]
    }),
  )
}
