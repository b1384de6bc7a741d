import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { childCommand } from '../support/product/child-program.ts'
import type { StoreAddress } from '../support/product/toy-platform/toy-sources.ts'

const PROGRAM = fileURLToPath(new URL('./source-crashes-child.ts', import.meta.url))

/** The work of a process: it works off the inbox until it is stopped, or reads everything once. */
export type ToyWork = 'serve' | 'backfill'

/** The sources in a separate process. */
export interface ToyProcess {
  readonly child: ChildProcess
  /** Ends it without giving it a chance, and waits until it is gone. */
  kill(): Promise<void>
  /** Asks it to stop; resolves to its exit code. */
  stop(): Promise<number | null>
}

/** Starts a process over a store and a toy platform; resolves once it works. */
export async function startToyProcess(work: ToyWork, place: StoreAddress, toyUrl: string): Promise<ToyProcess> {
  const child = spawn(process.execPath, [...(await childCommand(PROGRAM)), work, JSON.stringify(place), toyUrl], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (chunk) => (said += chunk))
  const gone = once(child, 'close')
  await Promise.race([
    once(child.stdout, 'data'),
    gone.then(() => {
      throw new Error(`the process ended: ${said}`)
    }),
  ])
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    await gone
    return child.exitCode
  }
  return { child, kill: async () => void (await end('SIGKILL')), stop: () => end('SIGTERM') }
}
