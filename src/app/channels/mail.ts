import { AppError, ConfigurationError } from '../../core/errors.ts'
import { onDemand } from '../../core/on-demand.ts'
import type { Mail } from '../../facades/deliveries/contract.ts'
import { isLoopback } from '../../facades/http/host-names.ts'
import { isMailAddress } from '../config/channel-sections.ts'
import type { Config } from '../config/config.ts'

const mailer = onDemand(() => import('nodemailer'))

/** Longest waits for the server, in milliseconds. */
const CONNECT_MS = 10_000
const ANSWER_MS = 30_000

/** Refuses recipients that may not receive mails. ConfigurationError names them, and the domains of the configuration. */
export function checkRecipients(to: readonly string[], { domains = [] }: Config['mail']): void {
  const malformed = to.filter((address) => !isMailAddress(address))
  const foreign = to.filter((address) => !malformed.includes(address) && !domains.includes(domainOf(address)))
  if (malformed.length > 0)
    throw new ConfigurationError([`--mail takes addresses such as finance@example.com, not ${malformed.join(', ')}`])
  if (foreign.length === 0) return
  const allowed = domains.length === 0 ? 'the configuration has no mail.domains' : `mail.domains are ${domains.join(', ')}`
  throw new ConfigurationError([`${foreign.join(', ')} may not receive mails: ${allowed}`])
}

/** Why an address may not receive mails, as a sentence. Undefined if it may. */
export function recipientProblem(address: string, { domains = [] }: Config['mail']): string | undefined {
  if (!isMailAddress(address)) return 'It must be one address, such as finance@example.com.'
  if (domains.includes(domainOf(address))) return undefined
  return `It may not receive mails: mail.domains are ${domains.join(', ')}.`
}

function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1).toLowerCase()
}

/**
 * Sends a mail over the configured server. STARTTLS is required, unless the server is on this machine. ConfigurationError without a server;
 * AppError `connector_unavailable` names the server and its answer, and no password.
 */
export async function sendMail({ to, subject, text, html, key }: Mail, settings: Config['mail']): Promise<void> {
  const { url, from } = settings
  if (url === undefined || from === undefined) throw new ConfigurationError(['no mail can be sent: mail.url is not configured'])
  checkRecipients(to, settings)
  const server = new URL(url)
  const { createTransport } = await mailer()
  const isSecure = server.protocol === 'smtps:'
  const transport = createTransport({
    host: server.hostname.replace(/^\[|\]$/g, ''),
    port: Number(server.port || (isSecure ? 465 : 587)),
    secure: isSecure,
    requireTLS: !isSecure && !isLoopback(server.hostname),
    ignoreTLS: !isSecure && isLoopback(server.hostname),
    // A server that asks for no password is not the one that the operator means.
    forceAuth: server.username !== '',
    ...(server.username !== '' && {
      auth: { user: decodeURIComponent(server.username), pass: decodeURIComponent(server.password) },
    }),
    ...{ connectionTimeout: CONNECT_MS, greetingTimeout: CONNECT_MS, socketTimeout: ANSWER_MS },
    // A briefing names no files and no addresses that could be read into it.
    ...{ disableFileAccess: true, disableUrlAccess: true },
  })
  try {
    const messageId = `<${key}@${domainOf(from)}>`
    const headers = { 'Auto-Submitted': 'auto-generated' }
    // An address is no text that could name several.
    const recipients = to.map((address) => ({ name: '', address }))
    const { accepted, rejected } = await transport.sendMail({ from, to: recipients, subject, text, html, messageId, headers })
    const took = `${accepted.map(addressOf).join(', ')} received it`
    if (rejected.length > 0) throw refusal(server.host, `it refuses ${rejected.map(addressOf).join(', ')}; ${took}`)
  } catch (error) {
    throw error instanceof AppError ? error : refusal(server.host, reasonOf(error), error)
  } finally {
    transport.close()
  }
}

function addressOf(recipient: string | { readonly address: string }): string {
  return typeof recipient === 'string' ? recipient : recipient.address
}

function refusal(host: string, reason: string, cause?: unknown): AppError {
  return new AppError('connector_unavailable', `The mail cannot be sent over ${host}: ${reason}.`, { cause })
}

/** Commands whose answer has no part of the password. */
const QUOTED = ['MAIL FROM', 'RCPT TO', 'DATA']
/** Errors of the connection, whose text is that of the system. */
const OF_CONNECTION = ['ESOCKET', 'ETLS', 'ECONNECTION', 'ETIMEDOUT', 'EDNS']

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown reason'
  const { response, responseCode, command, code } = error as Readonly<Record<string, unknown>> & Error
  if (code === 'EAUTH')
    return `it refuses the user or the password${typeof responseCode === 'number' ? ` (${responseCode})` : ''}`
  if (typeof response === 'string' && QUOTED.includes(String(command))) return `it answers "${onOneLine(response)}"`
  if (typeof responseCode === 'number') return `it answers with ${responseCode}`
  return OF_CONNECTION.includes(String(code)) ? onOneLine(error.message) : String(code ?? 'the connection failed')
}

function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').slice(0, 200)
}
