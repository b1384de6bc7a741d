import type { FilledPage } from '../../../src/connector-kit/cache-feed.ts'
import type { Row } from '../../../src/connector-kit/connector.ts'
import { countedRunner } from '../../../src/connector-kit/counted-runner.ts'
import type { QueryRunner } from '../../../src/connector-kit/query-runner.ts'
import { chunksOf } from '../../../src/core/batches.ts'
import { parseInteger } from '../../../src/core/money.ts'
import type { Layout } from '../fold/account-statements.ts'
import type { FoldContext } from '../fold/context.ts'
import { foldAccount } from '../fold/fold-account.ts'
import { readPage } from '../fold/read-page.ts'
import { type AccountTables, readAccount } from '../fold/read-row.ts'
import { type Tenant, tenantKeys } from '../tenants.ts'
import { accountRows, isLeftOut } from './account-rows.ts'
import { type Details, NO_DETAILS, readDetails } from './details.ts'
import { horizonOf } from './horizon.ts'
import { lifeRows } from './life-rows.ts'

/** The inputs of pages, all from one snapshot. */
export interface PageMaking {
  readonly run: QueryRunner
  readonly tenants: readonly Tenant[]
  readonly layout: Layout
  readonly context: FoldContext
  readonly cancel_reason_field: string
}

const PAGE_SIZE = 1_000
/** Accounts named in one statement. */
const NAMED_SIZE = 500

interface ReadPage {
  readonly accounts: readonly AccountTables[]
  readonly details: Details
}

/** Every account of the tenants in the order of `record_id`. While a page is used, the next one is read, and no more. */
export async function* allPages(making: PageMaking): AsyncGenerator<FilledPage> {
  const tenants = tenantKeys(making.tenants)
  const after = (last: number) => ahead(read(making, { tenants, after: last, size: PAGE_SIZE }))
  let next = after(0)
  try {
    for (;;) {
      const page = await next
      const last = page.accounts.at(-1)
      if (last === undefined) return
      next = after(parseInteger(last.account['record_id']))
      yield foldPage(page, making)
    }
  } finally {
    // The snapshot must not end while our statement runs.
    await next.catch(() => {})
  }
}

/** Pages of the named accounts that belong to the tenants. */
export async function* namedPages(making: PageMaking, accounts: readonly number[]): AsyncGenerator<FilledPage> {
  const tenants = tenantKeys(making.tenants)
  for (const named of chunksOf(accounts, NAMED_SIZE)) yield foldPage(await read(making, { tenants, accounts: named }), making)
}

/** The reader that awaits the page receives its failure. A reader that left early does not. */
function ahead<T>(page: Promise<T>): Promise<T> {
  page.catch(() => {})
  return page
}

/** A page, after the database has confirmed that no row is missing. */
async function read(making: PageMaking, place: Parameters<typeof readPage>[1]): Promise<ReadPage> {
  const { run, verify } = countedRunner(making.run)
  const page = await readAll({ ...making, run }, place)
  await verify()
  return page
}

async function readAll(making: PageMaking, place: Parameters<typeof readPage>[1]): Promise<ReadPage> {
  const { run, layout, cancel_reason_field } = making
  const accounts = await readPage(run, place, { layout, invoices: 'all' })
  if (accounts.length === 0) return { accounts, details: NO_DETAILS }
  const page = { tenants: place.tenants, accounts: accounts.map(({ account }) => parseInteger(account['record_id'])) }
  const cancels = accounts.flatMap(({ events }) => events.filter((event) => event['user_type'] === 'CANCEL'))
  const ids = cancels.map((event) => parseInteger(event['record_id']))
  return { accounts, details: await readDetails(run, page, ids, cancel_reason_field) }
}

function foldPage({ accounts, details }: ReadPage, { context, tenants }: PageMaking): FilledPage {
  const sources = new Map(tenants.map((tenant) => [tenant.record_id, tenant.id]))
  const byRelation = new Map<string, Row[]>()
  const keep = (name: string, more: readonly Row[]): void => {
    const kept = byRelation.get(name)
    if (kept === undefined) byRelation.set(name, [...more])
    else for (const row of more) kept.push(row)
  }
  const horizons = accounts.map((tables) => {
    const rows = readAccount(tables)
    const folded = foldAccount(rows, context)
    if (!isLeftOut(rows, context.definitions.test_accounts)) {
      const source_id = sources.get(rows.account.tenant_record_id) ?? ''
      for (const [name, more] of accountRows({ tables, rows, folded, details, source_id })) keep(name, more)
      keep('subscription_life', lifeRows(rows, folded.lives, context))
    }
    return horizonOf(rows, folded, context)
  })
  return { accounts: horizons, rows: byRelation }
}
