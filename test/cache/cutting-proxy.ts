import { startRelayTo } from '../support/databases/proxies.ts'

/** A way to a PostgreSQL server that cuts results without a word, as a row limit does. */
export interface CuttingProxy {
  /** `url` with the proxy's address in place of the server's. */
  readonly url: string
  /** Of statements with this text at most `limit` rows pass from now on; without a text nothing is cut. */
  cut(text?: string, limit?: number): void
  /**
   * Of each copy at most `limit` rows pass, and the server seems to say that it has sent no more. The limit begins with the second copy that has
   * this text.
   */
  limitCopies(limit: number, begin: string): void
  /** How many rows were held back. */
  held(): number
  close(): Promise<void>
}

/** Listens on a free local port. Its URL says that connections do not ask for TLS, whose answer is no message. */
export async function startCuttingProxy(url: string): Promise<CuttingProxy> {
  const rule: Rule = { text: undefined, limit: 0, held: 0, begin: undefined, begun: 0 }
  const relay = await startRelayTo(url, ({ client, server }) => {
    let isCut = false
    let rows = 0
    return {
      // The startup message has no letter before its length, and the statements' texts follow it.
      fromClient(chunk) {
        if (chunk.includes('select')) {
          if (rule.begin !== undefined && chunk.includes(COPY) && chunk.includes(rule.begin)) rule.begun += 1
          isCut = rule.text !== undefined && chunk.includes(rule.text) && (rule.begin === undefined || rule.begun > 1)
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
        const isNumber = isCut && rule.begin !== undefined && rows > rule.limit && message[0] === COMPLETE
        client.write(isNumber ? completed(`${COPIED}${rule.limit}`) : message)
      }),
    }
  })
  relay.url.searchParams.set('sslmode', 'disable')
  return {
    url: relay.url.href,
    cut(text, limit = 0) {
      Object.assign(rule, { text, limit, held: 0, begin: undefined, begun: 0 })
    },
    limitCopies(limit, begin) {
      Object.assign(rule, { text: COPY, limit, held: 0, begin, begun: 0 })
    },
    held: () => rule.held,
    close: relay.close,
  }
}

interface Rule {
  text: string | undefined
  limit: number
  held: number
  begin: string | undefined
  begun: number
}

const COPY = 'copy ('
/** The server reports the number of copied rows after it. */
const COPIED = 'COPY '
const COMPLETE = 'C'.charCodeAt(0)

/** A message that ends a command. */
function completed(text: string): Buffer {
  const content = Buffer.from(`${text}\0`)
  const head = Buffer.alloc(HEAD)
  head[0] = COMPLETE
  head.writeInt32BE(HEAD - 1 + content.length, 1)
  return Buffer.concat([head, content])
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
