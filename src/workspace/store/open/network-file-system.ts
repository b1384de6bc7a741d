import { statfs } from 'node:fs/promises'
import { AppError } from '../../../core/errors.ts'

/** File systems that several machines may mount, by their number in Linux. */
const NETWORK: Readonly<Record<number, string>> = {
  26985: 'NFS',
  20859: 'SMB',
  4266872130: 'SMB',
  4283649346: 'CIFS',
  16914839: '9p',
  1397113167: 'AFS',
  1799439955: 'AFS',
  1937076805: 'Coda',
  12805120: 'CephFS',
  198183888: 'Lustre',
  18225520: 'GFS2',
  1952539503: 'OCFS2',
  1196443219: 'GPFS',
  428016422: 'BeeGFS',
  3133910204: 'vmhgfs',
  2020557398: 'vboxsf',
}

/** The name of a network file system by its number. Undefined for any other file system. */
export function networkFileSystem(type: number): string | undefined {
  return NETWORK[type >>> 0]
}

/**
 * AppError `connector_unavailable` if the directory is on a network file system. The processes that use an embedded store
 * coordinate through shared memory. Processes on different machines share no memory and would overwrite each other. The check
 * works only on Linux.
 */
export async function refuseNetworkFileSystem(directory: string): Promise<void> {
  if (process.platform !== 'linux') return
  const name = networkFileSystem((await statfs(directory)).type)
  if (name === undefined) return
  const remedy = 'Put it on a local disk, or set store.url to a PostgreSQL or MySQL server.'
  const detail = `The embedded store cannot be in ${directory}, which is on a network file system (${name}). ${remedy}`
  throw new AppError('connector_unavailable', detail)
}
