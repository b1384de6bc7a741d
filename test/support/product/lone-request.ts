import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'

/** A GET on a new connection, as probes ask. A busy service may close a kept connection just when it is used again. */
export async function loneRequest(url: string): Promise<{ readonly status: number; readonly body: string }> {
  const [response] = (await once(get(url, { agent: false }), 'response')) as [IncomingMessage]
  return { status: response.statusCode ?? 0, body: await text(response) }
}
