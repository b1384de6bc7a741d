import { lookup } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** Networks that are not of the internet: this machine, private, shared, link-local, documentation, benchmarks, multicast, reserved. */
const PRIVATE_4 = [
  ...[
    '0.0.0.0/8',
    '10.0.0.0/8',
    '100.64.0.0/10',
    '127.0.0.0/8',
    '169.254.0.0/16',
    '172.16.0.0/12',
    '192.0.0.0/24',
    '192.0.2.0/24',
  ],
  ...['192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
]
/** The global addresses of IPv6, and those in them that lead to other networks or to addresses of IPv4. */
const GLOBAL_6 = '2000::/3'
const APART_6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

const privateAddresses = listOf(PRIVATE_4, 'ipv4')
const globalAddresses = listOf([GLOBAL_6], 'ipv6')
const apart = listOf(APART_6, 'ipv6')

function listOf(networks: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', prefix = '0'] = network.split('/')
    list.addSubnet(address, Number(prefix), family)
  }
  return list
}

/** True for an address that is not of the internet. An address of IPv4 within IPv6 counts as that of IPv6, which is not global. */
export function isPrivate(address: string): boolean {
  if (isIP(address) === 4) return privateAddresses.check(address, 'ipv4')
  return isIP(address) !== 6 || !globalAddresses.check(address, 'ipv6') || apart.check(address, 'ipv6')
}

/** The host leads to a network that webhooks may not reach. */
export class PrivateHost extends Error {}

/**
 * Resolves names for connections to hosts of the internet only. The connection goes to the address that was checked, so a name that resolves
 * to another address later changes nothing. PrivateHost if any address is private.
 */
export function publicOnly(resolve: typeof lookup = lookup): LookupFunction {
  return (name, options, done) => {
    resolve(name, { ...options, all: true }, (error, addresses) => {
      const found = addresses ?? []
      if (error !== null) done(error, '', 0)
      else if (found.length === 0 || found.some(({ address }) => isPrivate(address))) done(new PrivateHost('private'), '', 0)
      else if (options.all === true) done(null, found)
      else done(null, found[0]?.address ?? '', found[0]?.family)
    })
  }
}
