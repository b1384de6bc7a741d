import { BlockList, isIP } from 'node:net'
import { AppError } from '../../core/errors.ts'
import type { Middleware, RequestContext } from './environment.ts'
import { isWebhook, PROBES } from './paths.ts'

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')

/** Whether a host, without a port, is this machine and nothing else: `localhost`, 127.0.0.0/8 or ::1, in brackets or not. */
export function isLoopback(host: string): boolean {
  const bare = withoutBrackets(host).toLowerCase()
  const version = isIP(bare)
  return version === 0 ? bare === 'localhost' : LOOPBACK.check(bare, version === 6 ? 'ipv6' : 'ipv4')
}

/**
 * Answers only under loopback names and those given: a page of anywhere can make its own name lead to an address of this machine, but
 * the browser still sends that name. It cannot do so with an address in place of a name, so the probes answer under every address.
 * AppError `forbidden_host`.
 */
export function onlyHosts(names: readonly string[]): Middleware {
  const known = new Set(names.map(hostOf))
  const isAllowed = (host: string | undefined, path: string): boolean =>
    host !== undefined && (isLoopback(host) || known.has(host) || (PROBES.includes(path) && isIP(withoutBrackets(host)) !== 0))
  return async (context, next) => {
    // The host of a webhook is whatever leads here from the platform; it is known by its signature.
    if (!isWebhook(context) && !namesOf(context).every((host) => isAllowed(host, context.req.path)))
      throw new AppError('forbidden_host', 'The service does not answer under this host name; server.hosts lists those it has.')
    await next()
  }
}

/** The host of an authority in its one spelling, without port and trailing dot; undefined for what is none. */
function hostOf(given: string): string | undefined {
  const authority = isIP(given) === 6 ? `[${given}]` : given
  if (/[\s@/\\?#]/.test(authority) || !URL.canParse(`http://${authority}`)) return undefined
  return new URL(`http://${authority}`).hostname.replace(/\.$/, '')
}

// The address of a request line in absolute form and the Host header may differ: both must do.
function namesOf(context: RequestContext): readonly (string | undefined)[] {
  const header = context.req.header('host')
  return [hostOf(new URL(context.req.url).host), ...(header === undefined ? [] : [hostOf(header)])]
}

function withoutBrackets(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1')
}
