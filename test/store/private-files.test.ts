import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { CACHES, makeTemporaryDirectory, UPLOADS } from '../../src/core/temporary-directory.ts'
import { createStore } from '../../src/workspace/store/create-store.ts'
import { openSampleService } from '../support/product/examples/sample-service.ts'

const FILES = ['store.db', 'store.db-shm', 'store.db-wal']

let base: string
let directory: string
let notices: string[]
const closing: (() => Promise<void>)[] = []

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'plumbline-private-'))
  directory = join(base, 'data')
  notices = []
})
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
  await rm(base, { recursive: true })
})

/** Opens the store, whose migrations leave SQLite with all its files. */
async function opened() {
  const store = createStore({
    url: `sqlite:${join(directory, 'store.db')}`,
    schema: 'side',
    baseDirectory: base,
    onNotice: (notice) => notices.push(notice),
  })
  closing.push(() => store.close())
  await store.open()
  return store
}

const modeOf = async (...path: string[]) => ((await stat(join(...path))).mode & 0o777).toString(8)

describe('the files of an embedded store', () => {
  it('are the owner’s alone from the start', async () => {
    const store = await opened()
    await store.secrets?.seal({ token: 'x' }, 'source')
    expect((await readdir(directory)).sort()).toEqual([...FILES, 'store.db.key'].sort())
    expect(await modeOf(directory)).toBe('700')
    for (const name of [...FILES, 'store.db.key']) expect([name, await modeOf(directory, name)]).toEqual([name, '600'])
    expect([notices, await store.filesOpenToOthers?.()]).toEqual([[], []])
  })

  it('are taken away from others where an earlier version left them open, and that is said', async () => {
    await (await opened()).close()
    // Also the files that a running process has open.
    const running = await opened()
    for (const name of FILES) await chmod(join(directory, name), 0o664)
    await chmod(directory, 0o755)
    expect(await running.filesOpenToOthers?.()).toEqual([
      directory,
      ...['', '-wal', '-shm'].map((end) => join(directory, `store.db${end}`)),
    ])
    await opened()
    expect(await modeOf(directory)).toBe('700')
    for (const name of FILES) expect([name, await modeOf(directory, name)]).toEqual([name, '600'])
    const closed = [directory, join(directory, 'store.db'), join(directory, 'store.db-wal'), join(directory, 'store.db-shm')]
    expect(notices).toEqual([
      `Other users of this machine had access to ${closed.join(', ')}. Access was restricted to the owner.`,
    ])
  })

  it('are in a directory that stays unchanged if it holds something else', async () => {
    await mkdir(directory, { mode: 0o755 })
    await writeFile(join(directory, 'notes.txt'), 'for all')
    const store = await opened()
    expect([await modeOf(directory), await modeOf(directory, 'store.db')]).toEqual(['755', '600'])
    expect([await modeOf(directory, 'notes.txt'), await store.filesOpenToOthers?.()]).toEqual(['644', []])
  })
})

describe('a service', () => {
  let service: Awaited<ReturnType<typeof openSampleService>>
  beforeAll(async () => {
    service = await openSampleService()
  })
  afterAll(() => service.close())

  it('warns in its checks while other users may use a file of the store', async () => {
    const finding = async () => (await service.engine.check()).find(({ name }) => name === 'store_files')
    expect(await finding()).toBeUndefined()
    await chmod(service.storeFile, 0o640)
    expect(await finding()).toEqual({
      name: 'store_files',
      level: 'warning',
      message: `other users of this machine can access ${service.storeFile}`,
    })
    await chmod(service.storeFile, 0o600)
  })

  it('keeps an upload where nobody else can read it', async () => {
    const before = await readdir(tmpdir())
    const seen: string[] = []
    const boundary = 'x'
    const body = new ReadableStream<Uint8Array>({
      async start(controller) {
        const send = (text: string) => controller.enqueue(new TextEncoder().encode(text))
        send(`--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\nexternal_key,tier\n`)
        while (seen.length === 0) {
          await new Promise((resolve) => setTimeout(resolve, 20))
          for (const name of (await readdir(tmpdir())).filter((one) => one.startsWith(UPLOADS) && !before.includes(one))) {
            const [own, file] = [await modeOf(tmpdir(), name), await modeOf(tmpdir(), name, 'file').catch(() => undefined)]
            if (file !== undefined) seen.push(own, file)
          }
        }
        send(`\r\n--${boundary}--\r\n`)
        controller.close()
      },
    })
    const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` }
    const sent = { method: 'POST', headers, body, duplex: 'half' } as RequestInit
    expect((await service.app.request('/api/attributes/import', sent)).status).toBeLessThan(500)
    expect(seen).toEqual(['700', '600'])
  })
})

it('temporary directories are the process’s own', async () => {
  const made = await makeTemporaryDirectory(base, CACHES)
  expect(await modeOf(made.path)).toBe('700')
  await made.remove()
})
