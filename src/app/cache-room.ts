import type { CheckFinding } from '../connector-kit/connector.ts'
import { bytesText, freeDiskBytes, type MachineMemory, machineMemory } from '../core/machine-room.ts'
import { MEBIBYTE } from '../databases/options.ts'
import type { Config } from './config/config.ts'
import { mirrorDirectory, spillDirectory } from './config/mirror-directory.ts'
import { LEAST_CACHE_MB } from './config/sections.ts'

/** Finding of `check` about the memory and the disk that the cache may take. */
export async function cacheRoomFinding(config: Config): Promise<CheckFinding> {
  const directory = mirrorDirectory(config) ?? spillDirectory(config)
  return roomFinding(config.cache.memory_mb, machineMemory(), { directory, free: await freeDiskBytes(directory) })
}

/** The finding for a limit in mebibytes. `free` is null if the system does not tell it. */
export function roomFinding(
  memoryMb: number,
  { bytes, of }: MachineMemory,
  disk: { readonly directory: string; readonly free: number | null },
): CheckFinding {
  const limit = bytesText(memoryMb * MEBIBYTE)
  if (memoryMb * MEBIBYTE > bytes) {
    const half = Math.max(LEAST_CACHE_MB, Math.floor(bytes / 2 / MEBIBYTE))
    return {
      name: 'cache',
      level: 'warning',
      message: `cache.memory_mb lets the cache take ${limit}, and this ${of} has ${bytesText(bytes)}: the system may end the process. Lower cache.memory_mb`,
      setting: `[cache]\nmemory_mb = ${half}`,
    }
  }
  const free = disk.free === null ? '' : `; ${bytesText(disk.free)} are free at ${disk.directory}`
  return {
    name: 'cache',
    level: 'ok',
    message: `may take ${limit} of the memory of this ${of} (${bytesText(bytes)}), and data beyond it goes to disk${free}`,
  }
}
