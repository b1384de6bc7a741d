import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Creates a directory, and those above it, unless it exists. Rejects with the error of the system. The recursive `mkdir` of Node.js does not serve:
 * where the system denies a parent that exists, as below /proc, it tries for ever.
 */
export async function makeDirectory(path: string, mode: number): Promise<void> {
  const failed = await made(path, mode)
  if (failed === undefined) return
  const parent = dirname(path)
  if (codeOf(failed) !== 'ENOENT' || parent === path) throw failed
  await makeDirectory(parent, mode)
  const again = await made(path, mode)
  if (again !== undefined) throw again
}

/** The error if there is no such directory now. */
async function made(path: string, mode: number): Promise<unknown> {
  try {
    await mkdir(path, { mode })
    return undefined
  } catch (error) {
    const found = await stat(path).catch(() => undefined)
    return found?.isDirectory() === true ? undefined : error
  }
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}
