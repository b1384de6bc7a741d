import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { OpenAPIHono } from '@hono/zod-openapi'
import { composeEngine, startService } from '../../src/app/compose.ts'
import { loadConfig } from '../../src/app/config/config.ts'
import { duckdb } from '../../src/compiler/dialects/duckdb.ts'
import { openDuckdb } from '../../src/databases/duckdb/duckdb.ts'
import type { Engine } from '../../src/engine/engine.ts'
import type { Environment } from '../../src/facades/http/environment.ts'
import { registerAttributeImport } from '../../src/facades/http/routes/attribute-import.ts'

// A process for abandoned-files.release.test.ts: `hold`, which has a cache and an upload that never ends, or `serve`, which starts and ends.
const say = (word: string): void => void process.stdout.write(`${word}\n`)

if (process.argv[2] === 'hold') await hold()
else await serve()

async function hold(): Promise<void> {
  const before = countFiles()
  await openDuckdb({ dialect: duckdb, memoryMb: 64, directory: tmpdir() })
  const app = new OpenAPIHono<Environment>()
  registerAttributeImport(app, { attributes: {} as Engine['attributes'] }, 1_000_000)
  async function* endless() {
    yield Buffer.from('--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nexternal,a\n')
    await sleep(600_000)
  }
  void app.request('/api/attributes/import', {
    method: 'POST',
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
    body: ReadableStream.from(endless()) as ReadableStream<Uint8Array>,
    duplex: 'half',
  } as RequestInit)
  while (countFiles() === before) await sleep(10)
  say('held')
}

async function serve(): Promise<void> {
  const config = loadConfig({
    environment: {
      PLUMBLINE_DATABASE_URL: 'postgres://127.0.0.1:1/none',
      PLUMBLINE_STORE_URL: 'none',
      PLUMBLINE_SERVER_PORT: '0',
      PLUMBLINE_CACHE_MODE: 'off',
    },
    cwd: tmpdir(),
    home: undefined,
  })
  const composed = composeEngine(config)
  const server = await startService(config, composed, '0')
  say('serving')
  await server.stop()
  await composed.engine.close()
}

function countFiles(): number {
  return readdirSync(tmpdir(), { recursive: true }).filter((name) => /plumbline-upload-\w+\/file$/.test(String(name))).length
}
