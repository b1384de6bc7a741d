import type { CacheFeed, ChangesRequest, FeedChanges, FeedRequest } from '../../../src/connector-kit/cache-feed.ts'
import type { ConnectorSession, InlineRelation, Snapshot } from '../../../src/connector-kit/connector.ts'
import { createQueryRunner } from '../../../src/connector-kit/query-runner.ts'
import { baseCurrency } from '../../../src/core/definitions.ts'
import { InternalError } from '../../../src/core/errors.ts'
import { sqlNow } from '../../../src/core/periods.ts'
import { keepNumberedRelations } from '../catalog/kept-relations.ts'
import { numberPlans } from '../catalog/price-rows.ts'
import { catalogChange, catalogMarks } from '../changes/catalog-changes.ts'
import { firstLook, lookAgain } from '../changes/change-log.ts'
import { readClock } from '../changes/clock.ts'
import { pricedAccounts } from '../changes/priced-accounts.ts'
import { settle } from '../changes/settling.ts'
import { type LinkRows, readLinkRows, renewLinkRows } from '../fold/link-rows.ts'
import { type Links, linksOf } from '../fold/links.ts'
import { priceBook } from '../fold/price-book.ts'
import { createSession, type KillbillSettings, type Opened, openEngine } from '../session.ts'
import { tenantKeys } from '../tenants.ts'
import { allPages, namedPages, type PageInputs } from './filled-pages.ts'
import { relinkedAccounts } from './links.ts'
import { createStorages } from './storages.ts'

/** The state of the stored pages, from which the next changes are found. */
interface Kept {
  readonly opened: Opened
  readonly catalog: readonly InlineRelation[]
  readonly link_rows: LinkRows
  readonly links: Links
  readonly logs: ReturnType<typeof settle>
  readonly usage_in_mrr: unknown
}

const RELATIONS = [
  'customer',
  'subscription',
  'subscription_life',
  'subscription_span',
  'movement',
  'trial',
  'usage_charge',
  'invoice',
  'cancellation',
  'customer_field',
  'bundle_line',
]

/**
 * Fills the cache with the streaming fold, and reads the later changes from the history tables (KB 1.5). `met` are the servers that earlier
 * fillings have used (createStorages).
 */
export function createFeed(settings: KillbillSettings, seconds: () => number, met = new Set<string>()): CacheFeed {
  const relationsOf = keepNumberedRelations(numberPlans())
  const clock = { wall: seconds, running: seconds, process: '' }
  const storages = createStorages(met)
  let kept: Kept | undefined

  const open = async (snapshot: Snapshot, request: FeedRequest): Promise<Pick<Kept, 'opened' | 'catalog'>> => {
    const opened = await openEngine(settings, snapshot, request.definitions)
    return { opened, catalog: await relationsOf(opened.catalogs, opened.currencies) }
  }

  return {
    relations: RELATIONS,
    async *fill(snapshot, request) {
      const run = createQueryRunner(snapshot)
      const read = readClock(clock)
      // `open` comes before `firstLook`, because it checks that the database is the same engine. Both use the same snapshot.
      const made = await open(snapshot, request)
      const logs = await firstLook(run, snapshot.dialect.name)
      storages.begin(logs.server)
      const link_rows = await readLinkRows(snapshot, { tenants: tenantKeys(made.opened.tenants) }, made.opened.schema)
      const links = linksOf(link_rows, sqlNow(request.now))
      const session = createSession(made.opened, snapshot, request, made.catalog)
      kept = {
        ...made,
        link_rows,
        links,
        logs: settle(logs.marks, undefined, logs.server, read),
        usage_in_mrr: session.params['usage_in_mrr'],
      }
      yield* allPages(pageInputs(kept, snapshot, request))
    },
    async changes(snapshot, request) {
      if (kept === undefined) throw new InternalError('nothing has been filled yet')
      const before = kept
      const read = readClock(clock)
      const looked = await lookAgain(createQueryRunner(snapshot), before.logs.marks, { dialect: snapshot.dialect.name })
      if (looked.kind === 'lost' || !storages.isKnown(looked.server)) return { canUpdate: false }
      // Catalog files and addresses do not report their changes, so they are read each time.
      const isQuiet = looked.kind === 'none' && settings.catalog.length === 0
      const made = isQuiet ? before : await open(snapshot, request)
      const touched = { tenants: tenantKeys(made.opened.tenants), accounts: looked.accounts }
      const link_rows = await renewLinkRows(snapshot, before.link_rows, touched, made.opened.schema)
      // The payment instant of a parent's invoice depends on now. No log shows that this instant has come, so the links are
      // computed again.
      const isSettled = isQuiet && request.due.length === 0 && link_rows.links.length === 0
      const links = isSettled ? before.links : linksOf(link_rows, sqlNow(request.now))
      const session = await detached(createSession(made.opened, snapshot, request, made.catalog), made.opened, request)
      const now: Kept = { ...made, link_rows, links, logs: before.logs, usage_in_mrr: session.params['usage_in_mrr'] }
      const prices = catalogChange(catalogMarks(before.catalog), now.catalog, before.catalog)
      if (prices === null || !isSameEngine(before, now)) return { canUpdate: false }
      const accounts = [
        ...request.due,
        ...looked.accounts,
        ...(await relinkedAccounts(snapshot, before.links, links)),
        ...(prices.length === 0 ? [] : await pricedAccounts(snapshot, prices)),
      ]
      return {
        canUpdate: true,
        accounts: [...new Set(accounts)],
        session,
        pages: (named) => namedPages(pageInputs(now, snapshot, request), named),
        accept: () => {
          kept = { ...now, logs: settle(looked.marks, before.logs.settling, looked.server, read) }
        },
      } satisfies FeedChanges
    },
  }
}

/** False if the tenants, the schema or the treatment of usage have changed. Such a change affects rows of every account. */
function isSameEngine(before: Kept, now: Kept): boolean {
  const facts = ({ opened: { schema, tenants }, usage_in_mrr }: Kept): string => JSON.stringify({ schema, tenants, usage_in_mrr })
  return facts(before) === facts(now)
}

function pageInputs({ opened, catalog, links, usage_in_mrr }: Kept, snapshot: Snapshot, request: FeedRequest): PageInputs {
  const { derive_fixed_term_end, test_accounts } = request.definitions
  return {
    run: createQueryRunner(snapshot),
    tenants: opened.tenants,
    layout: opened.schema,
    cancel_reason_field: opened.cancel_reason_field,
    context: {
      now: sqlNow(request.now),
      // Base amounts are computed in each answer, with the rates of that moment.
      base_currency: '',
      rates: () => null,
      prices: priceBook(catalog),
      definitions: { mrr_usage: usage_in_mrr === true ? 'mean3' : 'off', derive_fixed_term_end, test_accounts },
      ...links,
    },
  }
}

/** The session with the engine's own rates already read. */
async function detached(
  session: ConnectorSession,
  { currencies }: Opened,
  { definitions }: ChangesRequest,
): Promise<ConnectorSession> {
  const base = baseCurrency(definitions, currencies)
  const rates = currencies.some((currency) => currency !== base) ? await session.rates(base) : []
  return {
    ...session,
    rates: async (wanted) => {
      if (wanted !== base) throw new InternalError(`rates into ${wanted} were not read`)
      return rates
    },
  }
}
