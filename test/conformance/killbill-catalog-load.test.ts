import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { readCatalogDocuments } from '../../connectors/killbill/catalog/documents.ts'
import { loadCatalogs } from '../../connectors/killbill/catalog/load.ts'
import { parseCatalog } from '../../connectors/killbill/catalog/parse.ts'
import { catalogRelations } from '../../connectors/killbill/catalog/price-rows.ts'
import type { TenantCatalog } from '../../connectors/killbill/catalog/tenant-catalog.ts'
import { catalogXml, phaseXml, planXml } from '../support/data/catalogs/catalog-xml.ts'
import { priceRowsOf } from '../support/data/catalogs/price-rows.ts'
import { readExample } from '../support/data/example-tables.ts'
import { insertRows } from '../support/data/killbill/insert-rows.ts'
import { killbillDatabase } from '../support/data/killbill/killbill-database.ts'
import { everyEngine } from '../support/databases/rotation.ts'
import type { TestDatabase } from '../support/databases/targets.ts'

/** Phase, currency, price of the rows in force for who enters the plan last. */
function lastPrices(catalogs: readonly TenantCatalog[], phase: string): unknown[] {
  return priceRowsOf(catalogRelations(catalogs, ['USD']), phase, 'USD').map(({ price }) => price)
}

function usd(price: string): string {
  return phaseXml('EVERGREEN', { period: 'MONTHLY', prices: { USD: price } })
}

everyEngine('loading catalogs', (target) => {
  let database: TestDatabase
  const load = (tenants: readonly number[], settings: Parameters<typeof loadCatalogs>[2] = {}) =>
    database.executor().withSnapshot((snapshot) => loadCatalogs(snapshot, tenants, settings))

  beforeAll(async () => {
    database = await killbillDatabase(target)
    for (const [table, rows] of Object.entries(readExample('engine-example').given)) await insertRows(database, table, rows)
    const gone = catalogXml({ plans: planXml('gone', { final: usd('5') }) + planXml('kept', { final: usd('6') }) })
    const kept = catalogXml({ plans: planXml('kept', { final: usd('7') }) })
    await insertRows(database, 'tenant_kvs', [
      { tenant_record_id: 2, tenant_value: '<catalog>', tenant_key: 'OVERDUE_CONFIG' },
      { tenant_record_id: 2, tenant_value: gone, is_active: false },
      { tenant_record_id: 2, tenant_value: 'no XML any more', is_active: false },
      { tenant_record_id: 2, tenant_value: kept },
      { tenant_record_id: 2, tenant_value: '<catalog><effectiveDate>2025-01-01</effectiveDate></catalog>' },
      { record_id: 40, tenant_record_id: 3, tenant_value: '<catalog>\n<plans></catalog>' },
    ])
  })

  it('versions of the tenant’s active rows, its override and no other tenant’s', async () => {
    const catalogs = await load([1])
    expect(catalogs.map((catalog) => catalog.versions.map((version) => version.effective_at.toISOString()))).toEqual([
      ['2024-01-01T00:00:00.000Z', '2024-06-01T00:00:00.000Z'],
    ])
    expect(Number(lastPrices(catalogs, 'pro-annual-7-evergreen').at(-1))).toBe(240)
    expect(lastPrices(catalogs, 'kept-evergreen')).toEqual([])
  })

  it('rows switched off only for plans that no active row has; unreadable ones there do not matter', async () => {
    const catalogs = await load([2])
    expect(lastPrices(catalogs, 'gone-evergreen')).toEqual(['5'])
    expect(lastPrices(catalogs, 'kept-evergreen')).toEqual(['7'])
  })

  it('names the row that cannot be read', async () => {
    await expect(load([1, 3])).rejects.toMatchObject({
      name: 'AppError',
      code: 'unsupported_by_connector',
      message: expect.stringMatching(/tenant_kvs record_id 40 .*line 2/),
      context: { table: 'tenant_kvs', record_id: 40, tenant_record_id: 3 },
    })
  })

  it('documents stand in for the rows of every tenant, overrides stay', async () => {
    const documents = parseCatalog(catalogXml({ plans: planXml('pro-annual', { final: usd('99') }) }))
    const catalogs = await load([1, 3], { documents })
    expect(lastPrices(catalogs, 'pro-annual-evergreen')).toEqual(['99', '99'])
    expect(Number(lastPrices(catalogs, 'pro-annual-7-evergreen')[0])).toBe(240)
  })

  it('many overrides: only the names that occur in events', async () => {
    const crowded = Array.from({ length: 101 }, (_, index) => ({
      record_id: 1000 + index,
      parent_plan_name: 'kept',
      tenant_record_id: 2,
    }))
    await insertRows(database, 'catalog_override_plan_definition', crowded)
    await insertRows(database, 'subscription_events', [
      {
        tenant_record_id: 2,
        subscription_id: 's',
        user_type: 'CREATE',
        plan_name: 'kept-1007',
        phase_name: 'kept-1007-evergreen',
      },
    ])
    const catalogs = await load([2])
    expect(lastPrices(catalogs, 'kept-1007-evergreen')).toEqual(['7'])
    expect(lastPrices(catalogs, 'kept-1008-evergreen')).toEqual([])
  })

  it('asks nothing when there is no tenant', async () => {
    expect(await load([])).toEqual([])
  })
})

describe('catalog documents (connector.catalog)', () => {
  it('an address that never ends is read no further than the limit, and then left', async () => {
    let sent = 0
    let isLeft: (left: boolean) => void = () => {}
    const left = new Promise<boolean>((resolve) => {
      isLeft = resolve
    })
    const server = createServer((_, response) => {
      const piece = Buffer.alloc(1_000_000, 'x')
      const send = () => {
        // Five times the limit: a client that reads to the end gets an answer.
        if (response.destroyed || sent >= 250_000_000) return void response.end()
        sent += piece.length
        if (response.write(piece)) setImmediate(send)
        else response.once('drain', send)
      }
      response.once('close', () => isLeft(!response.writableFinished))
      send()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    try {
      await expect(readCatalogDocuments([`http://127.0.0.1:${port}/catalog.xml`])).rejects.toMatchObject({
        code: 'connector_unavailable',
        message: expect.stringContaining('larger than'),
      })
      expect(await left).toBe(true)
      expect(sent).toBeLessThan(150_000_000)
    } finally {
      server.closeAllConnections()
      server.close()
    }
  })

  it('takes no larger file either, and no device or pipe, which may never end', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'plumbline-catalog-'))
    const large = join(folder, 'catalog.xml')
    try {
      await writeFile(large, '')
      await truncate(large, 60_000_000)
      await expect(readCatalogDocuments([large])).rejects.toMatchObject({ message: expect.stringContaining('larger than') })
    } finally {
      await rm(folder, { recursive: true })
    }
    await expect(readCatalogDocuments(['/dev/zero'])).rejects.toMatchObject({
      message: 'connector.catalog: /dev/zero cannot be read: it is no file',
    })
  })

  it('names a file that is missing or no catalog, without a password', async () => {
    await expect(readCatalogDocuments(['/does/not/exist.xml'])).rejects.toMatchObject({
      code: 'connector_unavailable',
      message: expect.stringContaining('/does/not/exist.xml'),
    })
    await expect(readCatalogDocuments([new URL('../../package.json', import.meta.url).pathname])).rejects.toMatchObject({
      code: 'unsupported_by_connector',
    })
    const error: unknown = await readCatalogDocuments(['http://user:hidden@127.0.0.1:1/catalog']).catch(
      (reason: unknown) => reason,
    )
    expect(String(error)).toContain('127.0.0.1')
    expect(String(error)).not.toContain('hidden')
  })
})
