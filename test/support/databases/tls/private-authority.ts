import { join } from 'node:path'
import type { Workshop } from '../servers/start-server.ts'

/** A certificate with its key, as files. */
export interface Certificate {
  readonly certificate: string
  readonly key: string
}

/** A certificate authority that nobody trusts unless told to. */
export interface PrivateAuthority {
  /** Its own certificate. */
  readonly root: string
  /** Signs a certificate for hosts, or for a user where `client` is set. One that has expired ended yesterday. */
  sign(name: string, what: { hosts?: readonly string[]; client?: string; hasExpired?: boolean }): Promise<Certificate>
}

const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']

/** Makes an authority in the folder of a workshop; its files belong to the user of the servers. */
export async function makeAuthority({ folder, run }: Workshop, authority: string): Promise<PrivateAuthority> {
  const place = (file: string) => join(folder, `${authority}-${file}`)
  const [root, rootKey] = [place('root.crt'), place('root.key')]
  await run('openssl', ['req', '-x509', ...KEY, '-keyout', rootKey, '-out', root, '-subj', `/CN=${authority}`, '-days', '2'])
  return {
    root,
    async sign(name, { hosts = [], client, hasExpired = false }) {
      const [certificate, key, request] = [place(`${name}.crt`), place(`${name}.key`), place(`${name}.csr`)]
      const names = hosts.length === 0 ? [] : ['-addext', `subjectAltName=${hosts.map((host) => `DNS:${host}`).join(',')}`]
      await run('openssl', ['req', ...KEY, '-keyout', key, '-out', request, '-subj', `/CN=${client ?? name}`, ...names])
      const days = hasExpired ? '-1' : '1'
      const signing = ['-CA', root, '-CAkey', rootKey, '-CAcreateserial', '-days', days, '-copy_extensions', 'copy']
      await run('openssl', ['x509', '-req', '-in', request, '-out', certificate, ...signing])
      return { certificate, key }
    },
  }
}
