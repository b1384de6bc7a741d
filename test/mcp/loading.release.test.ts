import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { recordedSample } from '../support/data/recorded-sample.ts'
import { startProduct } from '../support/product/product-process.ts'

it('the protocol is loaded by nobody who does not ask for it', async () => {
  const sample = await recordedSample()
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-coverage-'))
  try {
    const { output, exit } = await startProduct('cli', ['mrr', '--dimension', 'currency'], {
      PLUMBLINE_DATABASE_URL: sample.databaseUrl,
      PLUMBLINE_CONNECTOR_TENANT: sample.tenant,
      PLUMBLINE_DEFINITIONS_BASE_CURRENCY: 'USD',
      PLUMBLINE_NOW: sample.now,
      PLUMBLINE_STORE_URL: sample.storeUrl,
      NODE_V8_COVERAGE: folder,
    })
    expect([await exit, output]).toEqual([0, { stdout: expect.stringMatching(/^EUR /m), stderr: '' }])
    const loaded = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
    expect(loaded.join()).toMatch(/src\/app\/bin\/start\.[jt]s/)
    expect(loaded.filter((text) => text.includes('@modelcontextprotocol'))).toEqual([])
  } finally {
    await rm(folder, { recursive: true })
    await sample.dispose()
  }
})
