import { startRelayTo } from '../support/databases/proxies.ts'

/** A way to a PostgreSQL server that cuts results without a word, as a row limit does. */
export interface CuttingProxy {
  /** `url` with the proxy's address in place of the server's. */
  readonly url: string
  /** Of statements with this text at most `limit` rows pass from now on; without a text nothing is cut. */
  cut(text?: string, limit?: number): void
  /** How many rows were held back. */
  held(): number
  close(): Promise<void>
}

/** Listens on a free local port. Its URL says that connections do not ask for TLS, whose answer is no message. */
export async function startCuttingProxy(url: string): Promise<CuttingProxy> {
  const rule: { text: string | undefined; limit: number; held: number } = { text: undefined, limit: 0, held: 0 }
  const relay = await startRelayTo(url, ({ client, server }) => {
    let isCut = false
    let rows = 0
    return {
      // The startup message has no letter before its length, and the statements' texts follow it.
      fromClient(chunk) {
        if (chunk.includes('select')) {
          isCut = rule.text !== undefined && chunk.includes(rule.text)
          rows = 0
        }
        server.write(chunk)
      },
      fromServer: messagesOf((message) => {
        if (message[0] === DATA_ROW || message[0] === COPIED_ROW) {
          rows += 1
          if (isCut && rows > rule.limit) {
            rule.held += 1
            return
          }
        }
        client.write(message)
      }),
    }
  })
  relay.url.searchParams.set('sslmode', 'disable')
  return {
    url: relay.url.href,
    cut(text, limit = 0) {
      Object.assign(rule, { text, limit, held: 0 })
    },
    held: () => rule.held,
    close: relay.close,
  }
}

const DATA_ROW = 'D'.charCodeAt(0)
/** The server sends each row of a COPY in a separate message. */
const COPIED_ROW = 'd'.charCodeAt(0)
const HEAD = 5

/** The server's messages one by one: a letter, four bytes of length, which counts itself, and the content. */
function messagesOf(pass: (message: Buffer) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  return (chunk) => {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= HEAD) {
      const size = 1 + rest.readInt32BE(1)
      if (rest.length < size) return
      pass(rest.subarray(0, size))
      rest = rest.subarray(size)
    }
  }
}
