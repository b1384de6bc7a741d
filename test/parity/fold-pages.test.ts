import { setImmediate } from 'node:timers/promises'
import { beforeAll, expect, it } from 'vitest'
import { loadCatalogs } from '../../connectors/killbill/catalog/load.ts'
import { catalogRelations } from '../../connectors/killbill/catalog/price-rows.ts'
import type { Snapshot } from '../../src/ports/snapshot.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { NOW, realRates } from '../support/data/recorded/recorded-tables.ts'
import { collect } from '../support/databases/collect-rows.ts'
import { oneEngineInRotation } from '../support/databases/rotation.ts'
import type { TestDatabase } from '../support/databases/targets.ts'
import { type StreamOptions, streamAccounts } from '../support/oracles/fold/stream-accounts.ts'
import { foldAccount, foldSpans } from '../support/oracles/killbill/fold/fold-account.ts'
import { priceBook } from '../support/oracles/killbill/fold/price-book.ts'
import { rateTable } from '../support/oracles/killbill/fold/rates.ts'

const TENANTS = [1, 2]
const OPTIONS: StreamOptions = { layout: { has_quantity: true, has_payment_status: true }, invoices: 'all' }

async function contextOf(snapshot: Snapshot) {
  return {
    now: NOW,
    base_currency: 'USD',
    rates: rateTable(realRates, 'USD'),
    prices: priceBook(catalogRelations(await loadCatalogs(snapshot, TENANTS), ['EUR', 'GBP', 'JPY', 'USD'])),
    definitions: { mrr_usage: 'mean3', derive_fixed_term_end: true, test_accounts: 'exclude' } as const,
    transfers: new Map(),
    parents: new Map(),
  }
}

oneEngineInRotation('pages of accounts', (target) => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await sharedReal(target)
  })

  it('hold no invoices of accounts whose phases have no usage, and MRR is the same', async () => {
    await database.executor().withSnapshot(async (snapshot) => {
      const context = await contextOf(snapshot)
      const read = async (options: StreamOptions) => {
        const [spans, invoices]: [unknown[], string[]] = [[], []]
        for await (const rows of streamAccounts(snapshot, TENANTS, options)) {
          spans.push(...foldSpans(rows, context))
          invoices.push(...rows.invoices.map((invoice) => invoice.id))
          expect(foldSpans(rows, context)).toEqual(foldAccount(rows, context).spans)
        }
        return { spans, invoices: new Set(invoices) }
      }
      const all = await read(OPTIONS)
      const few = await read({ ...OPTIONS, invoices: { mayHaveUsage: context.prices.mayHaveUsage } })
      const none = await read({ ...OPTIONS, invoices: { mayHaveUsage: () => false } })
      expect(few.spans).toEqual(all.spans)
      expect(few.invoices.size).toBeGreaterThan(0)
      expect(few.invoices.size).toBeLessThan(all.invoices.size)
      expect(none.invoices.size).toBe(0)
      expect(none.spans).not.toEqual(all.spans)
    })
  })

  it('come alike whatever their size', async () => {
    await database.executor().withSnapshot(async (snapshot) => {
      const read = async (page_size: number) => collect(streamAccounts(snapshot, [2], { ...OPTIONS, page_size }))
      expect(await read(7)).toEqual(await read(100_000))
    })
  })

  it('are read no further when the reader has stopped', async () => {
    await database.executor().withSnapshot(async (snapshot) => {
      let statements = 0
      const counting: Snapshot = {
        ...snapshot,
        query: (statement) => {
          statements += 1
          return snapshot.query(statement)
        },
      }
      for await (const _ of streamAccounts(counting, TENANTS, { ...OPTIONS, page_size: 20 })) break
      const until = statements
      await snapshot.query({ text: 'select count(*) as n from tenants', values: [], label: 'after' })
      await setImmediate()
      expect(statements).toBe(until)
    })
  })

  it('fail where a statement fails', async () => {
    const reading = database.executor().withSnapshot(async (snapshot) => {
      const failing: Snapshot = {
        ...snapshot,
        query: (statement) =>
          snapshot.query(statement.label.includes('fold.tags') ? { ...statement, text: 'select nothing' } : statement),
      }
      for await (const _ of streamAccounts(failing, TENANTS, OPTIONS));
    })
    await expect(reading).rejects.toThrow('fold.tags')
  })
})
