import { BlockList, isIP, isIPv6 } from 'node:net'
import type { ServerAddress } from './server-address.ts'

/** Networks that are not reachable from the internet: this machine, RFC 1918, RFC 6598, link-local, unique local. */
const PRIVATE = new BlockList()
for (const [network, prefix] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['100.64.0.0', 10],
  ['169.254.0.0', 16],
] as const)
  PRIVATE.addSubnet(network, prefix, 'ipv4')
for (const [network, prefix] of [
  ['::1', 128],
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  PRIVATE.addSubnet(network, prefix, 'ipv6')

/** Endings of names that the public DNS does not have, and endings of names in clusters. */
const PRIVATE_NAMES = /(^|\.)(localhost|local|localdomain|internal|intranet|lan|home|corp|private|test|home\.arpa|svc)\.?$/i

/** Whether an address stays on this machine. */
export function isLocal({ host, dialled, socket }: Pick<ServerAddress, 'host' | 'dialled' | 'socket'>): boolean {
  if (socket !== undefined) return true
  const target = dialled ?? host
  return isIP(target) === 0 ? /^([\w-]+\.)*localhost\.?$/i.test(target) : isWithin(target, LOOPBACK)
}

/**
 * True if the connection to a host may go through the internet: an IP address outside of the private networks, or a name that has
 * a dot and no private ending. This does not ask the DNS, whose answer may differ tomorrow.
 */
export function isPublic({ host, dialled, socket }: ServerAddress): boolean {
  if (socket !== undefined) return false
  const target = dialled ?? host
  if (isIP(target) !== 0) return !isWithin(target, PRIVATE)
  return target.replace(/\.$/, '').includes('.') && !PRIVATE_NAMES.test(target)
}

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')

function isWithin(number: string, list: BlockList): boolean {
  const [plain = ''] = number.split('%')
  return list.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4')
}
