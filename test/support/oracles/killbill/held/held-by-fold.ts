import { catalogRelations } from '../../../../../connectors/killbill/catalog/price-rows.ts'
import { createSession, openEngine } from '../../../../../connectors/killbill/session.ts'
import { tenantKeys } from '../../../../../connectors/killbill/tenants.ts'
import type { InlineRelation, Row, Snapshot } from '../../../../../src/connector-kit/connector.ts'
import { createQueryRunner } from '../../../../../src/connector-kit/query-runner.ts'
import { sqlNow } from '../../../../../src/core/periods.ts'
import type { FeedRequest } from '../../../../../src/ports/read-through.ts'
import { readLinks } from '../fold/links.ts'
import { priceBook } from '../fold/price-book.ts'
import { allPages } from './filled-pages.ts'

/** The rows that the cache holds, by relation. The plans are those that the rows name by number. */
export interface HeldByFold {
  readonly rows: ReadonlyMap<string, readonly Row[]>
  readonly plan: InlineRelation | undefined
}

const SETTINGS = { tenant: ['all'], catalog: [] }

/** Folds all accounts of a database to the rows that the cache holds. */
export async function heldByFold(snapshot: Snapshot, request: FeedRequest): Promise<HeldByFold> {
  const opened = await openEngine(SETTINGS, snapshot, request.definitions)
  const catalog = catalogRelations(opened.catalogs, opened.currencies)
  const { params } = createSession(opened, snapshot, request, catalog)
  const { derive_fixed_term_end, test_accounts } = request.definitions
  const now = sqlNow(request.now)
  const pages = allPages({
    run: createQueryRunner(snapshot),
    tenants: opened.tenants,
    layout: opened.schema,
    cancel_reason_field: opened.cancel_reason_field,
    context: {
      now,
      base_currency: '',
      // Each answer computes base amounts.
      rates: () => null,
      prices: priceBook(catalog),
      definitions: { mrr_usage: params['usage_in_mrr'] === true ? 'mean3' : 'off', derive_fixed_term_end, test_accounts },
      ...(await readLinks(snapshot, tenantKeys(opened.tenants), { now, layout: opened.schema })),
    },
  })
  const rows = new Map<string, Row[]>()
  for await (const page of pages) {
    for (const [relation, more] of page.rows) rows.set(relation, [...(rows.get(relation) ?? []), ...more])
  }
  return { rows, plan: catalog.find(({ name }) => name === 'plan') }
}
