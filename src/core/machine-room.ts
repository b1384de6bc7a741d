import { statfs } from 'node:fs/promises'
import { totalmem } from 'node:os'
import { dirname } from 'node:path'
import { withinLimit } from './async.ts'

const UNITS = ['KiB', 'MiB', 'GiB', 'TiB'] as const
const STEP = 1_024
/** Longest wait for a disk, milliseconds. */
const DISK_MS = 5_000

/** A number of bytes as people read it: `1.5 GiB`. */
export function bytesText(bytes: number): string {
  let left = Math.max(0, bytes) / STEP
  let unit = 0
  while (left >= STEP && unit < UNITS.length - 1) {
    left /= STEP
    unit += 1
  }
  return `${left.toFixed(1)} ${UNITS[unit]}`
}

/** The memory that this process may take at most, in bytes, and who sets that limit. */
export interface MachineMemory {
  readonly bytes: number
  readonly of: 'machine' | 'container'
}

/** The memory of the machine, or of the container (its control group) if that has less. */
export function machineMemory(): MachineMemory {
  const machine = totalmem()
  // 0: unknown. Without a limit, it is larger than any machine.
  const container = process.constrainedMemory()
  return container > 0 && container < machine ? { bytes: container, of: 'container' } : { bytes: machine, of: 'machine' }
}

/** Bytes that this user may still write on the disk of a directory, which need not exist yet. Null if the system does not say. */
export async function freeDiskBytes(directory: string): Promise<number | null> {
  try {
    const { bavail, blocks, bsize } = await withinLimit(statfs(directory), DISK_MS, () => new Error('the disk does not answer'))
    // Some file systems of networks know no size.
    return blocks === 0 ? null : bavail * bsize
  } catch (error) {
    const parent = dirname(directory)
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    return isMissing && parent !== directory ? freeDiskBytes(parent) : null
  }
}
