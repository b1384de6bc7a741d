import { resolve } from 'node:path'
import { bytesText } from '../../../core/machine-room.ts'
import { type Command, withEngine } from '../command.ts'
import { writeRecord } from '../output.ts'

const clear: Command = {
  name: 'cache clear',
  description: 'Remove all rows of the cache at once, in memory and on disk; a running service fills it again',
  options: [],
  run: (invocation) =>
    withEngine(invocation, async (engine) => {
      const cleared = await engine.clearCache()
      const next = cleared.is_filling ? 'The service fills it again.' : 'The next service fills it again.'
      writeRecord(cleared, `The cache is cleared. ${next}\n`, invocation.input, invocation.io)
    }),
}

const copy: Command = {
  name: 'cache copy',
  description: 'Copy the cache of a running service, or the one on disk, for another service to take over',
  options: [],
  positionals: [{ name: 'directory', description: 'A new or empty directory, for cache.directory of the other service' }],
  examples: ['cache copy /backup/cache'],
  run: (invocation) =>
    withEngine(invocation, async (engine) => {
      const { input, io } = invocation
      const copied = await engine.copyCache(resolve(input.positionals[0] ?? ''), { signal: io.stop })
      const text = `The cache is copied to ${copied.directory}: ${bytesText(copied.bytes)}, ${copied.accounts} accounts.\n`
      writeRecord(copied, text, input, io)
    }),
}

/** The cache. */
export const CACHE_COMMAND: Command = {
  name: 'cache',
  description: 'Clear or copy the cache of a running service, or the one on disk',
  options: [],
  subCommands: [clear, copy],
}
