import * as net from 'node:net'
import { Duplex } from 'node:stream'
import * as tls from 'node:tls'
import type { ServerAddress } from './server-address.ts'
import type { TlsOptions } from './tls-options.ts'

/** The request that asks a server for TLS: length 8, then the number of the request. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])
const OFFERED = 'S'.charCodeAt(0)
const NOT_OFFERED = 'N'.charCodeAt(0)
const ERROR_RESPONSE = 'E'.charCodeAt(0)
/** The field of an error response that refuses this combination of user, database and kind of connection: code 28000. */
const NOT_ALLOWED = Buffer.from('\0C28000\0')

/** Error code if the address demands TLS and the server does not offer it. */
export const NO_TLS = 'NO_TLS'

const LOST = new Error('the server closed the connection')

type Way = 'clear' | 'encrypted'

const WAYS: Readonly<Record<ServerAddress['tls']['demand'], readonly Way[]>> = {
  never: ['clear'],
  if_refused: ['clear', 'encrypted'],
  if_offered: ['encrypted', 'clear'],
  always: ['encrypted'],
}

/**
 * A connection to a PostgreSQL server that negotiates TLS before the driver sends anything, as libpq does. The driver treats it
 * as a plain socket. An address may allow two ways, clear and encrypted. If the server's first answer refuses the first way, the
 * socket tries the second way with the same startup packet. At that point no password has been sent. After a wrong password the
 * socket tries no other way, so it never sends the password again in clear.
 */
export class PostgresSocket extends Duplex {
  readonly #address: ServerAddress
  readonly #options: TlsOptions
  #ways: readonly Way[]
  #target: { readonly port: number; readonly host: string } = { port: 0, host: '' }
  #socket: net.Socket = new net.Socket()
  #keepAliveMs: number | undefined
  /** True once the driver has received the event `connect`. */
  #isConnected = false
  /** True once the driver uses the current socket. On an encrypted way, this is after TLS has been agreed on. */
  #isHeld = false
  /** The bytes that the driver has sent before the server's first answer. */
  #startup: Buffer[] | undefined = []
  #answer: readonly Buffer[] = []
  /** The server's refusal of the first way. */
  #refusal: Buffer | undefined

  constructor(address: ServerAddress, options: TlsOptions) {
    super({ allowHalfOpen: false })
    this.#address = address
    this.#options = options
    this.#ways = WAYS[address.tls.demand]
  }

  connect(port: number, host: string): this {
    this.#target = { port, host }
    this.#dial()
    return this
  }

  setNoDelay(): this {
    return this
  }

  setKeepAlive(isOn: boolean, delayMs?: number): this {
    this.#keepAliveMs = isOn ? (delayMs ?? 0) : undefined
    if (isOn) this.#socket.setKeepAlive(true, delayMs)
    return this
  }

  ref(): this {
    this.#socket.ref()
    return this
  }

  unref(): this {
    this.#socket.unref()
    return this
  }

  /** IP address of the connected server. */
  get remoteAddress(): string | undefined {
    return this.#socket.remoteAddress
  }

  /** Another connection, not dialled yet. It is encrypted if this one is. */
  sibling(): PostgresSocket {
    const demand = this.#socket instanceof tls.TLSSocket ? 'always' : 'never'
    return new PostgresSocket({ ...this.#address, tls: { ...this.#address.tls, demand } }, this.#options)
  }

  /** The certificate that a login is bound to. Empty over a clear connection. */
  getPeerCertificate(): tls.PeerCertificate | Record<string, never> {
    return this.#socket instanceof tls.TLSSocket ? this.#socket.getPeerCertificate() : {}
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#startup?.push(Buffer.from(chunk))
    this.#socket.write(chunk, done)
  }

  override _read(): void {
    this.#socket.resume()
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#socket.end(() => done())
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#socket.destroy()
    done(error)
  }

  #dial(): void {
    const [way, ...others] = this.#ways
    this.#ways = others
    const raw = net.connect({ port: this.#target.port, host: this.#target.host })
    raw.setNoDelay(true)
    if (this.#keepAliveMs !== undefined) raw.setKeepAlive(true, this.#keepAliveMs)
    this.#hold(raw)
    raw.once('connect', () => {
      if (way === 'clear') this.#adopt(raw)
      else if (this.#address.tls.isDirect) this.#encrypt(raw)
      else this.#ask(raw)
    })
  }

  // The answer is one byte. Any more bytes would come from an attacker in between, because no key is agreed on yet.
  #ask(raw: net.Socket): void {
    raw.once('data', (answer: Buffer) => {
      const said = answer.length === 1 ? answer[0] : undefined
      if (said === OFFERED) this.#encrypt(raw)
      else if (said !== NOT_OFFERED) this.#fail(new Error('the server answered a request for TLS with something else'))
      else if (this.#ways.includes('clear')) {
        this.#ways = []
        this.#adopt(raw)
      } else this.#fail(Object.assign(new Error('the server speaks no TLS'), { code: NO_TLS }))
    })
    raw.write(SSL_REQUEST)
  }

  #encrypt(raw: net.Socket): void {
    const { host, tls: wish } = this.#address
    const secure = tls.connect({
      ...this.#options,
      socket: raw,
      host,
      // RFC 6066 does not allow IP addresses here.
      ...(net.isIP(host) === 0 ? { servername: host } : {}),
      ...(wish.proof === 'name' ? {} : { checkServerIdentity: () => undefined }),
      ...(wish.isDirect ? { ALPNProtocols: ['postgresql'] } : {}),
    })
    this.#hold(secure)
    secure.once('secureConnect', () => this.#adopt(secure))
  }

  /** Listens to a socket until another one takes its place. */
  #hold(socket: net.Socket): void {
    this.#socket = socket
    const unlessAborted = (listener: (error?: Error) => void) => (error?: Error) => {
      if (this.#socket === socket && !this.destroyed) listener(error)
    }
    socket.on(
      'error',
      unlessAborted((error) => this.#fail(error ?? LOST)),
    )
    socket.on(
      'close',
      unlessAborted(() => this.#fail(LOST)),
    )
  }

  #adopt(socket: net.Socket): void {
    this.#isHeld = true
    socket.on('data', (chunk: Buffer) => {
      if (this.#socket === socket) this.#take(chunk)
    })
    if (this.#isConnected) for (const packet of this.#startup ?? []) socket.write(packet)
    else this.emit('connect')
    this.#isConnected = true
  }

  #take(chunk: Buffer): void {
    if (this.#startup === undefined) {
      this.#give(chunk)
      return
    }
    const answer = Buffer.concat([...this.#answer, chunk])
    this.#answer = [answer]
    const isWhole = answer.length >= 5 && answer.length > answer.readUInt32BE(1)
    if (answer[0] === ERROR_RESPONSE && !isWhole) return
    const isRefusal = answer[0] === ERROR_RESPONSE && answer.includes(NOT_ALLOWED)
    if (isRefusal && this.#ways.length > 0) {
      this.#tryOther(answer)
      return
    }
    this.#startup = undefined
    // If the server refuses both ways, the driver gets the refusal over TLS. The refusal in clear says only that the connection
    // was not encrypted.
    const isVeiled = isRefusal && !(this.#socket instanceof tls.TLSSocket)
    this.#give(isVeiled ? (this.#refusal ?? answer) : answer)
  }

  #tryOther(refusal: Buffer): void {
    this.#refusal = refusal
    this.#answer = []
    this.#isHeld = false
    this.#leave()
    this.#dial()
  }

  #give(chunk: Buffer): void {
    if (!this.push(chunk)) this.#socket.pause()
  }

  #fail(error: Error): void {
    if (this.#isHeld) {
      // Data that has arrived is still read: the server's last words say why it closes the connection.
      if (error === LOST) this.push(null)
      else this.destroy(error)
    } else if (this.#ways.length > 0 && !this.#isConnected) {
      this.#leave()
      this.#dial()
    } else if (this.#refusal !== undefined) {
      this.#give(this.#refusal)
      this.push(null)
    } else this.destroy(error)
  }

  #leave(): void {
    const left = this.#socket
    this.#socket = new net.Socket()
    left.destroy()
  }
}
