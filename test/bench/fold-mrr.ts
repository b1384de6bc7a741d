import { catalogRelations } from '../../connectors/killbill/catalog/price-rows.ts'
import { openEngine } from '../../connectors/killbill/session.ts'
import { definitionsSchema } from '../../src/core/definitions.ts'
import { sqlInstant } from '../../src/core/periods.ts'
import type { Executor } from '../../src/ports/executor.ts'
import { realRates } from '../support/data/recorded/recorded-tables.ts'
import { levelOf, spansAt } from '../support/oracles/fold/levels.ts'
import { streamAccounts } from '../support/oracles/fold/stream-accounts.ts'
import type { FoldContext } from '../support/oracles/killbill/fold/context.ts'
import { foldSpans } from '../support/oracles/killbill/fold/fold-account.ts'
import { readLinks } from '../support/oracles/killbill/fold/links.ts'
import { priceBook } from '../support/oracles/killbill/fold/price-book.ts'
import { rateTable } from '../support/oracles/killbill/fold/rates.ts'
import { BASE_CURRENCY, NOW } from './tasks.ts'

const NOTHING_SET = { tenant: [], catalog: [] }

/** MRR now in base cents by the streaming fold: every account is read and folded to its spans, one at a time. */
export function foldMrr(executor: Executor): Promise<number> {
  const definitions = definitionsSchema.parse({ base_currency: BASE_CURRENCY })
  const now = sqlInstant(new Date(NOW))
  return executor.withSnapshot(async (snapshot) => {
    const { schema, tenants, catalogs, currencies } = await openEngine(NOTHING_SET, snapshot, definitions)
    const keys = tenants.map((tenant) => tenant.record_id)
    const context: FoldContext = {
      now,
      base_currency: BASE_CURRENCY,
      rates: rateTable(realRates, BASE_CURRENCY),
      prices: priceBook(catalogRelations(catalogs, currencies)),
      definitions,
      ...(await readLinks(snapshot, keys, { now, layout: schema })),
    }
    let sum = 0
    for await (const rows of streamAccounts(snapshot, keys, {
      layout: schema,
      invoices: { mayHaveUsage: context.prices.mayHaveUsage },
    })) {
      const level = levelOf(spansAt(foldSpans(rows, context), now))
      if (level === null) throw new Error(`a rate is missing for account ${rows.account.record_id}`)
      sum += level
    }
    return sum
  })
}
