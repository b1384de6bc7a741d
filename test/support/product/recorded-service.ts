import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../../src/core/package-root.ts'
import type { Engine } from '../../../src/engine/engine.ts'
import { createApp } from '../../../src/facades/http/app.ts'
import type { Store } from '../../../src/ports/store.ts'
import { importFxRates } from '../../../src/workspace/exchange-rates/import/csv.ts'
import { createStore } from '../../../src/workspace/store/create-store.ts'
import { sharedReal } from '../data/killbill/recorded-database.ts'
import { type StoreKind, type StorePlace, storePlace } from '../databases/store-places.ts'
import type { Target } from '../databases/test-database.ts'
import { JSON_BODY } from './json-body.ts'
import { CSV_BYTES, type EngineOptions, engineOver } from './recorded-engine.ts'
import { storeAt } from './store-with-books.ts'

const RATES = join(packageRoot(), 'fixtures', 'killbill', 'real', 'expected', 'fx.csv')

export interface Reply {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: a body is whatever a test expects it to be
  readonly body: any
}

/** The service over the recording with an empty side store. */
export interface RealService {
  readonly engine: Engine
  readonly store: Store
  readonly place: StorePlace
  ask(method: string, path: string, body?: unknown): Promise<Reply>
  /** Posts a file to an import, that of attributes unless told. */
  /** `signal` ends the connection. */
  upload(csv: string | Uint8Array, fields?: Readonly<Record<string, string>>, path?: string, signal?: AbortSignal): Promise<Reply>
  close(): Promise<void>
}

/** Puts the recording's rates into the store that a service with the usual settings finds at the place. */
export async function importRates({ url, baseDirectory }: StorePlace): Promise<void> {
  const store = createStore({ url, schema: 'plumbline', baseDirectory })
  await putRates(store)
  await store.close()
}

async function putRates(store: Store): Promise<void> {
  await importFxRates(readFileSync(RATES, 'utf8'), store, { maxBytes: 1_000_000 })
}

/** Opens it, with the store on the same kind of database unless told; the one who asks closes it. */
export async function realService(
  target: Target,
  { storeKind = target.name, ...options }: EngineOptions & { readonly storeKind?: StoreKind } = {},
): Promise<RealService> {
  const database = await sharedReal(target)
  const place = await storePlace(storeKind)
  const store = storeAt(place)
  await putRates(store)
  const engine = await engineOver(database, { tenant: ['alpha'], ...options, store })
  const logged: string[] = []
  const limits = { body_bytes: 100_000, csv_bytes: CSV_BYTES }
  const app = createApp({ engine, version: '0', corsOrigins: [], limits, log: (line) => logged.push(line) })
  const reply = async (response: Response): Promise<Reply> => {
    if (response.status === 500) throw new Error(logged.join('\n'))
    return { status: response.status, body: await response.json() }
  }
  return {
    engine,
    store,
    place,
    ask: async (method, path, body) =>
      reply(
        await app.request(`/api/${path}`, {
          method,
          headers: JSON_BODY,
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        }),
      ),
    async upload(csv, fields = {}, path = 'attributes/import', signal) {
      const form = new FormData()
      for (const [name, value] of Object.entries(fields)) form.set(name, value)
      form.set('file', new Blob([Buffer.from(csv as string)]), 'a.csv')
      return reply(await app.request(`/api/${path}`, { method: 'POST', body: form, ...(signal && { signal }) }))
    },
    async close() {
      await engine.close()
      await place.remove()
    },
  }
}
