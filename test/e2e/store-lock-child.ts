import { appendFileSync, existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '../../src/core/errors.ts'
import { createStore } from '../../src/store/create-store.ts'
import { acquireEmbeddedLock } from '../../src/store/embedded-lock.ts'

// A process of its own for store-lock.test.ts: `hold <directory>`, `race <directory> <rounds>` or `relay <directory> <turns> <log>`.
const [mode = '', directory = '', count = '0', log = ''] = process.argv.slice(2)
const say = (word: string): void => void process.stdout.write(`${word}\n`)

if (mode === 'hold') await hold()
if (mode === 'race') await race(Number(count))
if (mode === 'relay') await relay(Number(count))

/** Opens the store, writes a rate and keeps the store until the input ends. */
async function hold(): Promise<void> {
  const store = createStore({ url: `pglite:${directory}`, schema: 'plumbline', baseDirectory: '/' })
  try {
    await store.fxRates.upsert([{ date: '2024-01-01', from: 'EUR', to: 'USD', rate: '1.1' }])
    say('open')
    for await (const _ of process.stdin);
    await store.close()
    say('closed')
  } catch (error) {
    say(error instanceof AppError ? `${error.code} ${error.message}` : String(error))
  }
}

/** In each round tries once for the lock, at the moment that the file `go-<round>` appears, and keeps it until `end-<round>`. */
async function race(rounds: number): Promise<void> {
  say('ready')
  for (let round = 1; round <= rounds; round++) {
    while (!existsSync(`${directory}.go-${round}`));
    const lock = await acquireEmbeddedLock(directory, 0).catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'connector_unavailable') return undefined
      throw error
    })
    say(`${round} ${lock === undefined ? 'lost' : 'won'}`)
    while (!existsSync(`${directory}.end-${round}`)) await sleep(5)
    lock?.release()
  }
}

/** Takes the lock again and again and notes it; after the last turn dies while holding it. */
async function relay(turns: number): Promise<void> {
  for (let turn = 1; turn <= turns; turn++) {
    const lock = await acquireEmbeddedLock(directory, 60_000)
    appendFileSync(log, `in ${process.pid}\n`)
    await sleep(2)
    appendFileSync(log, `out ${process.pid}\n`)
    if (turn === turns) process.kill(process.pid, 'SIGKILL')
    lock.release()
    await sleep(Math.random() * 5)
  }
}
