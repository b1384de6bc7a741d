import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startProduct } from '../support/product/product-process.ts'

/** Longer than a request waits for a connection to the store, milliseconds. */
const STANDSTILL_MS = 11_000

it('a first start that stands still while it opens its store waits for it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pl-slow-'))
  const file = join(folder, 'store.db')
  const started = await startProduct('cli', ['fx', 'list', '--json'], { PLUMBLINE_STORE_URL: `sqlite:${file}` })
  try {
    // The file is there just before the thread of the first connection starts.
    while (!existsSync(file) && started.isAlive()) await new Promise((resolve) => setImmediate(resolve))
    started.child.kill('SIGSTOP')
    await new Promise((resolve) => setTimeout(resolve, STANDSTILL_MS))
    started.child.kill('SIGCONT')
    expect(await started.exit, started.output.stderr).toBe(0)
    expect(JSON.parse(started.output.stdout)).toEqual([])
  } finally {
    started.child.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  }
})
