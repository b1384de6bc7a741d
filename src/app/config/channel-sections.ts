import * as z from 'zod'
import { addressProblem, readableAddress } from '../../core/addresses.ts'
import { isOrigin } from './section-checks.ts'

const ADDRESS = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@([a-z0-9-]{1,63}\.)+[a-z0-9-]{1,63}$/i
const DOMAIN = /^([a-z0-9-]{1,63}\.)+[a-z0-9-]{2,63}$/
const HOST = /^([a-z0-9]([a-z0-9.-]{0,252}[a-z0-9])?|[0-9a-f:]{2,45})$/
/** Only a service on this machine may be reached without TLS. */
const WEBHOOK = /^(https:\/\/[^\s/@]+\/|http:\/\/(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?\/)\S*$/

/** True for one plain address, such as `finance@example.com`. */
export function isMailAddress(text: string): boolean {
  return ADDRESS.test(text)
}

/** Refuses what is no address of a mail server alone. No message quotes a part, because any part could be the password. */
function serverAddress(address: string, check: { addIssue(message: string): void }): void {
  const problem = addressProblem(address)
  if (problem !== undefined) {
    check.addIssue(problem)
    return
  }
  const { hostname, pathname, search, hash } = new URL(address)
  if (hostname === '' || !['', '/'].includes(pathname) || search !== '' || hash !== '')
    check.addIssue('must end with the host and the port; in a password / is written %2F, ? %3F and # %23')
}

/** The section `mail`: the server that sends briefings. */
export const mailSection = z
  .strictObject({
    url: z
      .string()
      .regex(/^smtps?:\/\/\S+$/, 'must be smtps://user:password@host, or smtp://… for STARTTLS')
      .superRefine(serverAddress)
      .optional()
      .describe('Mail server that sends briefings: smtps://user:password@host, or smtp://… for STARTTLS; absent: no mail')
      .meta({ example: 'smtps://plumbline:password@smtp.example.com' }),
    from: z
      .string()
      .refine(isMailAddress, 'must be one address, such as plumbline@example.com')
      .optional()
      .describe('Sender of mails')
      .meta({ example: 'plumbline@example.com' }),
    domains: z
      .array(z.string().regex(DOMAIN, 'must be domains in small letters, such as example.com'))
      .min(1)
      .optional()
      .describe('Domains whose addresses may receive mails, because these have names of customers; absent: none')
      .meta({ example: ['example.com'] }),
  })
  .superRefine(({ url, from, domains }, context) => {
    if (url === undefined) return
    if (from === undefined) context.addIssue({ code: 'custom', path: ['from'], message: 'is required with mail.url' })
    if (domains === undefined) context.addIssue({ code: 'custom', path: ['domains'], message: 'is required with mail.url' })
  })

/** The section `slack`: the channel that receives briefings. */
export const slackSection = z.strictObject({
  webhook: z
    .string()
    .regex(WEBHOOK, 'must be https://…; http:// only on this machine')
    .superRefine(readableAddress)
    .optional()
    .describe('Address of an incoming webhook of Slack, whose channel receives briefings; absent: none')
    .meta({ example: 'https://hooks.slack.com/services/T000/B000/secret' }),
})

/** The section `share`: what may leave over channels that users add. */
export const shareSection = z.strictObject({
  hosts: z
    .array(z.string().regex(HOST, 'must be names or addresses of hosts in small letters, such as hooks.internal, without port'))
    .default([])
    .describe('Hosts in private networks that webhooks of deliveries may reach; absent: none'),
  embed_origins: z
    .array(z.string().refine(isOrigin, 'must be origins such as https://intranet.example.com'))
    .default([])
    .describe('Origins whose pages may embed shared pages in a frame'),
})
