import { resolve } from 'node:path'
import Database from 'libsql'
import type { Store } from '../../../../src/ports/store.ts'
import { createSourceResource, type SourceResource } from '../../../../src/workspace/expenses/sources/resource.ts'
import { createStore } from '../../../../src/workspace/store/create-store.ts'
import { createToyPlatform, type ToySettings } from './toy-platform.ts'

export const TOY_WORKSPACE = { name: 'test', source_ids: ['tenant'] }

/** Where a store is. */
export interface StoreAddress {
  readonly url: string
  readonly baseDirectory: string
  readonly secretKey?: string
}

/** The sources over a store and the toy platform, without a billing database. */
export interface ToySources {
  readonly store: Store
  readonly sources: SourceResource
  readonly failures: readonly unknown[]
  close(): Promise<void>
}

/** Opens them; nothing is started. */
export function openToySources({ url, baseDirectory, secretKey }: StoreAddress, settings: ToySettings): ToySources {
  const store = createStore({ url, schema: 'side', baseDirectory, secretKey })
  const failures: unknown[] = []
  const sources = createSourceResource({
    store,
    connectorType: 'engine',
    workspace: async () => TOY_WORKSPACE,
    databaseSources: async () => [{ source_id: 'tenant', external_key: 'acme', name: 'acme' }],
    unsupported: [],
    platforms: [createToyPlatform(settings)],
    onFailure: (error) => failures.push(error),
  })
  const close = async () => {
    await sources.close()
    await store.close()
  }
  return { store, sources, failures, close }
}

/** Runs a statement on a store that is a file. */
export function queryFile({ url, baseDirectory }: StoreAddress, sql: string): readonly Record<string, unknown>[] {
  const database = new Database(resolve(baseDirectory, url.slice('sqlite:'.length)))
  try {
    return database.prepare(sql).all() as Record<string, unknown>[]
  } finally {
    database.close()
  }
}

/** Waits until something holds; a generous deadline. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const giveUpAt = Date.now() + 20_000
  while (!(await holds())) {
    if (Date.now() > giveUpAt) throw new Error('it did not come to hold')
    await new Promise((wake) => setTimeout(wake, 25))
  }
}
