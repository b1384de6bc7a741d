import { beforeAll, expect, it } from 'vitest'
import { loadCatalogs } from '../../connectors/killbill/catalog/load.ts'
import { catalogRelations } from '../../connectors/killbill/catalog/price-rows.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { NOW, realRates } from '../support/data/recorded/recorded-tables.ts'
import { oneEngineInRotation } from '../support/databases/rotation.ts'
import type { TestDatabase } from '../support/databases/targets.ts'
import { foldReal, ofTenant, sorted } from '../support/oracles/fold/fold-recorded.ts'
import { streamAccounts } from '../support/oracles/fold/stream-accounts.ts'
import { foldAccount } from '../support/oracles/killbill/fold/fold-account.ts'
import { readLinks } from '../support/oracles/killbill/fold/links.ts'
import { priceBook } from '../support/oracles/killbill/fold/price-book.ts'
import { rateTable } from '../support/oracles/killbill/fold/rates.ts'
import type { Span } from '../support/oracles/killbill/fold/span.ts'

const LAYOUT = { has_quantity: true, has_payment_status: true }
const CURRENCIES = ['EUR', 'GBP', 'JPY', 'USD']

async function streamed(database: TestDatabase, tenants: readonly number[], scope: 'all' | 'usage' | 'none') {
  return database.executor().withSnapshot(async (snapshot) => {
    const relations = catalogRelations(await loadCatalogs(snapshot, tenants), CURRENCIES)
    const context = {
      now: NOW,
      base_currency: 'USD',
      rates: rateTable(realRates, 'USD'),
      prices: priceBook(relations),
      definitions: {
        mrr_usage: scope === 'none' ? 'off' : 'mean3',
        derive_fixed_term_end: true,
        test_accounts: 'exclude',
      } as const,
      ...(await readLinks(snapshot, tenants, { now: NOW, layout: LAYOUT })),
    }
    const invoices = scope === 'usage' ? { mayHaveUsage: context.prices.mayHaveUsage } : scope
    const keys: number[] = []
    const folded: ReturnType<typeof foldAccount>[] = []
    for await (const rows of streamAccounts(snapshot, tenants, { layout: LAYOUT, invoices, page_size: 100 })) {
      keys.push(rows.account.record_id)
      folded.push(foldAccount(rows, context))
    }
    return { keys, spans: folded.flatMap((one) => one.spans), paid: folded.flatMap((one) => one.paid_invoices) }
  })
}

/** Plan keys are numbers of one request: two requests may count differently. */
function withoutKeys(spans: readonly Span[]): unknown[] {
  return sorted(spans.map(({ plan_key: _key, ...span }) => span))
}

oneEngineInRotation('the streaming fold', (target) => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await sharedReal(target)
  })

  it('yields every account once, in order, with the rows that the files hold', async () => {
    const whole = foldReal()
    const { keys, spans, paid } = await streamed(database, [1, 2], 'all')
    expect(keys).toEqual([...keys].sort((a, b) => a - b))
    expect(keys.length).toBe(whole.length)
    // More than one page.
    expect(keys.length).toBeGreaterThan(300)
    expect(withoutKeys(spans)).toEqual(withoutKeys(whole.flatMap((customer) => customer.spans)))
    expect(sorted(paid)).toEqual(sorted(whole.flatMap((customer) => customer.paid_invoices)))
  })

  it('needs only the invoices of accounts that may have usage for MRR, and none without the usage component', async () => {
    const { spans } = await streamed(database, [1], 'usage')
    expect(withoutKeys(spans)).toEqual(withoutKeys(ofTenant(foldReal(), 'alpha').flatMap((customer) => customer.spans)))
    const plain = await streamed(database, [1], 'none')
    expect(withoutKeys(plain.spans)).toEqual(
      withoutKeys(ofTenant(foldReal({ mrr_usage: 'off' }), 'alpha').flatMap((customer) => customer.spans)),
    )
    expect(plain.paid).toEqual([])
  })

  it('reads one tenant without the other', async () => {
    const { keys } = await streamed(database, [2], 'none')
    expect(keys).toEqual(ofTenant(foldReal(), 'beta').map((customer) => Number(customer.account['record_id'])))
  })
})
