import type { CatalogVersion } from '../../../../connectors/killbill/catalog/catalog-version.ts'
import { overridesByTenant } from '../../../../connectors/killbill/catalog/load.ts'
import { parseCatalog } from '../../../../connectors/killbill/catalog/parse.ts'
import { catalogRelations } from '../../../../connectors/killbill/catalog/price-rows.ts'
import type { TenantCatalog } from '../../../../connectors/killbill/catalog/tenant-catalog.ts'
import type { InlineRelation, Row } from '../../../../src/connector-kit/connector.ts'
import type { FxRate } from '../../../../src/core/currency.ts'
import type { Definitions } from '../../../../src/core/definitions.ts'
import type { Tables } from '../../data/killbill/tables.ts'
import type { FoldContext } from '../killbill/fold/context.ts'
import { type FoldedAccount, foldAccount } from '../killbill/fold/fold-account.ts'
import { groupBy } from '../killbill/fold/group.ts'
import { parentSettlements } from '../killbill/fold/links.ts'
import { type Movement, movementsOf } from '../killbill/fold/movements.ts'
import { type ParentLink, parentLinks } from '../killbill/fold/parent-links.ts'
import { priceBook } from '../killbill/fold/price-book.ts'
import { rateTable } from '../killbill/fold/rates.ts'
import { readAccount } from '../killbill/fold/read-row.ts'
import { bundleLine, type TransferBundle, transferInstants } from '../killbill/fold/transfers.ts'
import { logoChurnOf } from './logo-churn.ts'

export interface FoldRequest {
  readonly now: string
  readonly base_currency: string
  readonly rates: readonly FxRate[]
  readonly definitions?: Partial<Definitions>
}

export interface FoldedCustomer extends FoldedAccount {
  readonly account: Row
  readonly movements: readonly Movement[]
  readonly logo_churn: readonly string[]
  /** Bundle line by subscription (D33). */
  readonly lines: ReadonlyMap<string, string>
}

/** Catalogs of the tenants as their rows describe them. */
export function catalogsOf(tables: Tables): TenantCatalog[] {
  const overrides = overridesByTenant(
    tables('catalog_override_plan_definition'),
    tables('catalog_override_plan_phase').flatMap((link) => {
      const phase = tables('catalog_override_phase_definition').find(
        (row) => String(row['record_id']) === String(link['phase_def_record_id']),
      )
      return phase === undefined ? [] : [{ ...phase, ...link }]
    }),
  )
  const rows = tables('tenant_kvs').filter((row) => row['tenant_key'] === 'CATALOG')
  const versionsOf = (tenantKey: number, isActive: boolean): CatalogVersion[] =>
    rows
      .filter((row) => Number(row['tenant_record_id']) === tenantKey && row['is_active'] === isActive)
      .flatMap((row) => parseCatalog(String(row['tenant_value'])))
  return [...new Set(tables('tenants').map((row) => Number(row['record_id'])))].map((tenantKey) => ({
    tenantKey,
    versions: versionsOf(tenantKey, true),
    retired: versionsOf(tenantKey, false),
    overrides: overrides.get(tenantKey) ?? new Map(),
  }))
}

/** The catalog's relations for the currencies of the accounts. */
export function relationsOf(tables: Tables): InlineRelation[] {
  const currencies = new Set(tables('accounts').flatMap((row) => (row['currency'] === null ? [] : [String(row['currency'])])))
  return catalogRelations(catalogsOf(tables), [...currencies].sort())
}

/** Folds every account of the tables, in the order of their `record_id`. */
export function foldTables(tables: Tables, request: FoldRequest): FoldedCustomer[] {
  const ofAccount = (name: string): Map<string, Row[]> => groupBy(tables(name), (row) => String(row['account_record_id']))
  const names = [
    'bundles',
    'subscriptions',
    'blocking_states',
    'invoices',
    'invoice_history',
    'invoice_items',
    'invoice_payments',
    'tags',
  ] as const
  const grouped = Object.fromEntries(names.map((name) => [name, ofAccount(name)]))
  const ownerOf = new Map(tables('subscriptions').map((row) => [row['id'], String(row['account_record_id'])]))
  const events = groupBy(tables('subscription_events'), (row) => ownerOf.get(row['subscription_id'] ?? null) ?? '')
  const accounts = tables('accounts').map((account) => {
    const key = String(account['record_id'])
    const rows = (name: (typeof names)[number]): Row[] => grouped[name]?.get(key) ?? []
    const byTable = Object.fromEntries(names.map((name) => [name, rows(name)])) as { [table in (typeof names)[number]]: Row[] }
    return { account, rows: readAccount({ ...byTable, account, events: events.get(key) ?? [] }) }
  })
  const links = parentLinksOf(tables, request.now)
  const parents = new Map(accounts.flatMap(({ rows }) => linkedParents(links, rows, request.now)))
  const context: FoldContext = {
    now: request.now,
    base_currency: request.base_currency,
    rates: rateTable(request.rates, request.base_currency),
    prices: priceBook(relationsOf(tables)),
    definitions: { mrr_usage: 'mean3', derive_fixed_term_end: true, test_accounts: 'exclude', ...request.definitions },
    transfers: transferInstants(transferBundles(tables)),
    parents: new Map([...links.map((link) => [link.child_invoice_id, null] as const), ...parents]),
  }
  return accounts.map(({ account, rows }) => {
    const lineOfBundle = new Map(rows.bundles.map((bundle) => [bundle.id, bundleLine(bundle.external_key)]))
    const lines = new Map(
      rows.subscriptions.map((subscription) => [subscription.id, lineOfBundle.get(subscription.bundle_id) ?? '']),
    )
    const folded = foldAccount(rows, context)
    return { ...folded, account, movements: movementsOf(folded.spans, lines), logo_churn: logoChurnOf(folded.spans), lines }
  })
}

/** The invoices of children with the invoices of the parents that pay them (KB 8.7). */
export function parentLinksOf(tables: Tables, now: string): readonly ParentLink[] {
  return parentLinks(
    {
      links: tables('invoice_parent_children'),
      accounts: tables('accounts'),
      invoices: tables('invoices'),
      invoice_history: tables('invoice_history'),
      invoice_items: tables('invoice_items'),
    },
    now,
  )
}

function linkedParents(
  links: readonly ParentLink[],
  rows: ReturnType<typeof readAccount>,
  now: string,
): [string, string | null][] {
  const own = new Set(rows.invoices.map((invoice) => invoice.id))
  const reaching = links.filter((link) => own.has(link.parent_invoice_id))
  return reaching.length === 0 ? [] : [...parentSettlements(reaching, rows, now)]
}

function transferBundles(tables: Tables): TransferBundle[] {
  const bundleOf = new Map(tables('subscriptions').map((row) => [row['id'], row['bundle_id']]))
  const moved = new Map<unknown, string>()
  for (const event of tables('subscription_events')) {
    if (event['user_type'] !== 'TRANSFER' || event['is_active'] !== true) continue
    const bundle = bundleOf.get(event['subscription_id'] ?? null)
    const at = String(event['effective_date'])
    const known = moved.get(bundle)
    if (known === undefined || at < known) moved.set(bundle, at)
  }
  const written = groupBy(tables('bundle_history'), (row) => `${row['target_record_id']} ${row['change_type']}`)
  return tables('bundles').map((row) => {
    const recordsOf = (change: string) =>
      (written.get(`${row['record_id']} ${change}`) ?? []).map((entry) => ({
        external_key: String(entry['external_key']),
        at: String(entry['created_date']),
      }))
    return {
      record_id: Number(row['record_id']),
      tenant_record_id: Number(row['tenant_record_id']),
      id: String(row['id']),
      external_key: String(row['external_key']),
      moved_at: moved.get(row['id']) ?? null,
      inserted: recordsOf('INSERT')[0] ?? null,
      renamed: recordsOf('UPDATE').filter(({ external_key }) => external_key.startsWith('kbtsf-')),
    }
  })
}
