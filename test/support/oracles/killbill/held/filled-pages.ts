import { type Tenant, tenantKeys } from '../../../../../connectors/killbill/tenants.ts'
import type { Row } from '../../../../../src/connector-kit/connector.ts'
import { countedRunner } from '../../../../../src/connector-kit/counted-runner.ts'
import type { QueryRunner } from '../../../../../src/connector-kit/query-runner.ts'
import { parseInteger } from '../../../../../src/core/money.ts'
import type { Layout } from '../fold/account-statements.ts'
import type { FoldContext } from '../fold/context.ts'
import { foldAccount } from '../fold/fold-account.ts'
import { readPage } from '../fold/read-page.ts'
import { type AccountTables, readAccount } from '../fold/read-row.ts'
import { accountRows, isLeftOut } from './account-rows.ts'
import { type Details, NO_DETAILS, readDetails } from './details.ts'
import { type Horizon, horizonOf } from './horizon.ts'
import { lifeRows } from './life-rows.ts'

/** All rows of some accounts, by relation. Each row has a `customer_key`. */
export interface FilledPage {
  readonly accounts: readonly Horizon[]
  readonly rows: ReadonlyMap<string, readonly Row[]>
}

/** The inputs of pages, all from one snapshot. */
export interface PageInputs {
  readonly run: QueryRunner
  readonly tenants: readonly Tenant[]
  readonly layout: Layout
  readonly context: FoldContext
  readonly cancel_reason_field: string
}

const PAGE_SIZE = 1_000

interface ReadPage {
  readonly accounts: readonly AccountTables[]
  readonly details: Details
}

/** Pages of all accounts of the tenants, in the order of `record_id`. Reads one page ahead. */
export async function* allPages(inputs: PageInputs): AsyncGenerator<FilledPage> {
  const tenants = tenantKeys(inputs.tenants)
  const after = (last: number) => ahead(read(inputs, { tenants, after: last, size: PAGE_SIZE }))
  let next = after(0)
  try {
    for (;;) {
      const page = await next
      const last = page.accounts.at(-1)
      if (last === undefined) return
      next = after(parseInteger(last.account['record_id']))
      yield foldPage(page, inputs)
    }
  } finally {
    // The snapshot must not end while the statement for the next page runs.
    await next.catch(() => {})
  }
}

/**
 * Marks a rejection as handled, because a reader may stop before it awaits the page. A reader that awaits the page still gets the
 * failure.
 */
function ahead<T>(page: Promise<T>): Promise<T> {
  page.catch(() => {})
  return page
}

/** Reads a page and verifies that no row is missing. */
async function read(inputs: PageInputs, place: Parameters<typeof readPage>[1]): Promise<ReadPage> {
  const { run, verify } = countedRunner(inputs.run)
  const page = await readAll({ ...inputs, run }, place)
  await verify()
  return page
}

async function readAll(inputs: PageInputs, place: Parameters<typeof readPage>[1]): Promise<ReadPage> {
  const { run, layout, cancel_reason_field } = inputs
  const accounts = await readPage(run, place, { layout, invoices: 'all' })
  if (accounts.length === 0) return { accounts, details: NO_DETAILS }
  const page = { tenants: place.tenants, accounts: accounts.map(({ account }) => parseInteger(account['record_id'])) }
  const cancels = accounts.flatMap(({ events }) => events.filter((event) => event['user_type'] === 'CANCEL'))
  const ids = cancels.map((event) => parseInteger(event['record_id']))
  return { accounts, details: await readDetails(run, page, ids, cancel_reason_field) }
}

function foldPage({ accounts, details }: ReadPage, { context, tenants }: PageInputs): FilledPage {
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
