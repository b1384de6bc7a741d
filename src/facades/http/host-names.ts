import { BlockList, isIP } from 'node:net'
import { AppError } from '../../core/errors.ts'
import type { Middleware, RequestContext } from './environment.ts'
import { isWebhook, PROBES } from './paths.ts'

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')

/** True if a host without a port is this machine only: `localhost`, 127.0.0.0/8 or ::1, with or without brackets. */
export function isLoopback(host: string): boolean {
  const bare = withoutBrackets(host).toLowerCase()
  const version = isIP(bare)
  return version === 0 ? bare === 'localhost' : LOOPBACK.check(bare, version === 6 ? 'ipv6' : 'ipv4')
}

/**
 * Protects against DNS rebinding: answers only under loopback names and the given names. A foreign page can point its host name to this machine,
 * but the browser still sends that name. This is not possible with an IP address, so the probes answer under every address. AppError
 * `forbidden_host`.
 */
export function onlyHosts(names: readonly string[]): Middleware {
  const known = new Set(names.map(hostOf))
  const isAllowed = (host: string | undefined, path: string): boolean =>
    host !== undefined && (isLoopback(host) || known.has(host) || (PROBES.includes(path) && isIP(withoutBrackets(host)) !== 0))
  return async (context, next) => {
    // A webhook may arrive under any host: its signature is checked.
    if (!isWebhook(context) && !namesOf(context).every((host) => isAllowed(host, context.req.path)))
      throw new AppError('forbidden_host', 'The service does not answer under this host name. server.hosts lists its names.')
    await next()
  }
}

/** The canonical host of an authority, without port and trailing dot. Undefined if it is invalid. */
function hostOf(given: string): string | undefined {
  const authority = isIP(given) === 6 ? `[${given}]` : given
  if (/[\s@/\\?#]/.test(authority) || !URL.canParse(`http://${authority}`)) return undefined
  return new URL(`http://${authority}`).hostname.replace(/\.$/, '')
}

// The request line in absolute form and the Host header may differ. Both must be allowed.
function namesOf(context: RequestContext): readonly (string | undefined)[] {
  const header = context.req.header('host')
  return [hostOf(new URL(context.req.url).host), ...(header === undefined ? [] : [hostOf(header)])]
}

function withoutBrackets(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1')
}
