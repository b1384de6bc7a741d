import type { IncomingMessage } from 'node:http'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { AppError } from '../../core/errors.ts'
import type { Post } from '../../facades/deliveries/contract.ts'
import { isLoopback } from '../../facades/http/host-names.ts'
import { isPrivate, PrivateHost, publicOnly } from './private-hosts.ts'

const TIMEOUT_MS = 10_000
/** Most bytes of an answer that are read. */
const MOST_ANSWER = 4_096

export interface WebhookSettings {
  /** Hosts of private networks that may be reached (`share.hosts`). */
  readonly hosts: readonly string[]
  /** Resolves names. Default: that of the system, without private addresses. */
  readonly resolve?: LookupFunction
  readonly timeoutMs?: number
}

/**
 * Checks the address of a webhook. Returns the reason if it may not be used, as the end of a sentence, without a part of the address. Only a host of
 * this machine that `hosts` names may be reached without TLS.
 */
export function webhookProblem(address: string, { hosts }: Pick<WebhookSettings, 'hosts'>): string | undefined {
  if (!URL.canParse(address)) return 'it is no address'
  const { protocol, hostname, username, password, hash } = new URL(address)
  const host = bare(hostname)
  const isNamed = hosts.includes(host)
  if (protocol !== 'https:' && !(protocol === 'http:' && isNamed && isLoopback(host))) return 'it must begin with https://'
  if (username !== '' || password !== '' || hash !== '') return 'it must have no user, no password and no fragment'
  if (isNamed) return undefined
  return (isIP(host) !== 0 && isPrivate(host)) || isLoopback(host) ? NOT_ALLOWED : undefined
}

const NOT_ALLOWED = 'it leads to a private network, and share.hosts does not name its host'

/**
 * Posts a body to a webhook. Redirects are refused, and so are addresses of private networks. AppError `connector_unavailable` names the host and its
 * answer, and no other part of the address.
 */
export async function postToWebhook(
  { url, body, headers = {} }: Post,
  settings: WebhookSettings,
  signal: AbortSignal,
): Promise<void> {
  const problem = webhookProblem(url, settings)
  const target = URL.canParse(url) ? new URL(url) : undefined
  const { timeoutMs = TIMEOUT_MS } = settings
  const failed = (reason: string, cause?: unknown) =>
    new AppError('connector_unavailable', `The message cannot be sent to ${target?.host ?? 'the webhook'}: ${reason}.`, { cause })
  if (problem !== undefined || target === undefined) throw failed(problem ?? 'it is no address')
  const limit = AbortSignal.timeout(timeoutMs)
  try {
    const isNamed = settings.hosts.includes(bare(target.hostname))
    const resolve = isNamed ? undefined : (settings.resolve ?? publicOnly())
    const { status, text } = await exchange(target, body, headers, resolve, AbortSignal.any([signal, limit]))
    if (status >= 200 && status < 300) return
    if (status >= 300 && status < 400) throw failed(`it redirects (status ${status})`)
    // A page about an error may quote the address.
    const [word] = /^[a-z_]{1,40}$/.exec(text.trim()) ?? []
    throw failed(`it answers with status ${status}${word === undefined ? '' : ` (${word})`}`)
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof AppError) throw error
    if (limit.aborted) throw failed(`it takes longer than ${timeoutMs / 1000} s`, error)
    if (error instanceof PrivateHost) throw failed(NOT_ALLOWED)
    throw failed(String((error as { readonly code?: unknown }).code ?? 'the connection failed'), error)
  }
}

function bare(hostname: string): string {
  return hostname
    .replace(/^\[(.*)\]$/, '$1')
    .toLowerCase()
    .replace(/\.$/, '')
}

function exchange(
  target: URL,
  body: string,
  headers: Readonly<Record<string, string>>,
  lookup: LookupFunction | undefined,
  signal: AbortSignal,
): Promise<{ readonly status: number; readonly text: string }> {
  const send = target.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const sent = send(
      target,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...headers },
        signal,
        agent: false,
        ...(lookup !== undefined && { lookup }),
      },
      (response) => void readStart(response).then((text) => resolve({ status: response.statusCode ?? 0, text }), reject),
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

/** The start of an answer. The rest is not read. */
async function readStart(response: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of response as AsyncIterable<Buffer>) {
    pieces.push(piece)
    size += piece.length
    if (size >= MOST_ANSWER) break
  }
  response.destroy()
  return Buffer.concat(pieces).toString().slice(0, MOST_ANSWER)
}
