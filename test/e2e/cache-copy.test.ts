import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { oneEngineInRotation } from '../support/databases/rotation.ts'
import { type StorePlace, storePlace } from '../support/databases/store-places.ts'
import { type ServiceProcess, serveReady, startProduct } from '../support/product/product-process.ts'
import { END_OF_RECORDING } from '../support/product/recorded-engine.ts'
import { importRates } from '../support/product/recorded-service.ts'

const QUESTIONS = ['/api/metrics/mrr', '/api/metrics/summary?start=2026-10-01&end=2026-10-31', '/api/customers?limit=300']

oneEngineInRotation(
  'plumbline cache copy',
  (target) => {
    let store: StorePlace
    let folder: string
    let settings: Record<string, string>
    const services: ServiceProcess[] = []

    beforeAll(async () => {
      const database = await sharedReal(target)
      store = await storePlace(target.name)
      await importRates(store)
      folder = await mkdtemp(join(tmpdir(), 'pl-copy-'))
      settings = {
        PLUMBLINE_DATABASE_URL: database.url,
        PLUMBLINE_CONNECTOR_TENANT: 'alpha',
        PLUMBLINE_STORE_URL: store.url,
        PLUMBLINE_DEFINITIONS_BASE_CURRENCY: 'USD',
        PLUMBLINE_NOW: END_OF_RECORDING.toISOString(),
      }
    })
    afterAll(async () => {
      for (const service of services) await service.stop()
      await store?.remove()
      await rm(folder, { recursive: true, force: true })
    })

    const placed = (name: string) => ({ ...settings, PLUMBLINE_CACHE_DIRECTORY: join(folder, name) })
    const serve = async (name: string) => {
      const service = await serveReady(placed(name))
      services.push(service)
      return service
    }
    const answersOf = async ({ url }: ServiceProcess) =>
      Promise.all(
        QUESTIONS.map(async (path) => {
          const answer = await fetch(`${url}${path}`)
          expect(answer.status, path).toBe(200)
          return answer.text()
        }),
      )
    // A command asks a service of its own build only, so it is a process as the service is.
    const copy = async (name: string, to: string, ...options: readonly string[]) => {
      const { exit, output } = await startProduct('cli', ['cache', 'copy', join(folder, to), ...options], placed(name))
      return { code: await exit, ...output }
    }
    /** The files of a cache. A filling writes another file, and removes this one. */
    const files = async (name: string) => {
      const [own = ''] = await readdir(join(folder, name))
      return (await readdir(join(folder, name, own))).filter((file) => /^mirror-\d+\.duckdb$/.test(file))
    }

    it('lets another service answer without a filling, from the copy of a service and from that of the disk', async () => {
      const first = await serve('first')
      const copied = await copy('first', 'second')
      expect(copied.stderr).toBe('')
      const [name = ''] = await readdir(join(folder, 'second'))
      expect(copied.stdout).toMatch(
        new RegExp(`^The cache is copied to ${join(folder, 'second', name)}: [\\d.]+ MiB, \\d+ accounts\\.\\n$`),
      )
      const [file, ...others] = await files('second')
      expect([file, others]).toEqual([expect.any(String), []])
      const second = await serve('second')
      expect(await answersOf(second)).toEqual(await answersOf(first))
      expect(await files('second')).toEqual([file])
      expect(await copy('second', 'second')).toMatchObject({ code: 3, stderr: expect.stringContaining('is not empty') })
      expect(await copy('second', join('second', name, 'inside'))).toMatchObject({
        code: 3,
        stderr: expect.stringContaining('is inside the directory of the cache'),
      })
      await second.stop()
      expect((await copy('second', 'third', '--json')).stdout).toMatch(
        /^{"directory":".*\/third\/[0-9a-f]+","bytes":\d+,"accounts":\d+}\n$/,
      )
      const before = await files('third')
      const third = await serve('third')
      expect(await answersOf(third)).toEqual(await answersOf(first))
      expect([await files('third'), before]).toEqual([before, [expect.any(String)]])
    })
  },
  { only: ['postgres', 'mariadb', 'mysql'] },
)
