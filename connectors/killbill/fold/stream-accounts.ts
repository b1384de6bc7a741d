import type { Row, Snapshot } from '../../../src/connector-kit/connector.ts'
import { createQueryRunner, type QueryRunner } from '../../../src/connector-kit/query-runner.ts'
import { parseInteger } from '../../../src/core/money.ts'
import { type AccountPage, accountPage, type InvoiceScope, type Layout, pageStatements } from './account-statements.ts'
import { groupBy } from './group.ts'
import { readAccount } from './read-row.ts'
import type { AccountRows } from './rows.ts'

export interface StreamOptions {
  readonly layout: Layout
  readonly invoices: InvoiceScope
}

/**
 * Accounts of the tenants with their rows, in the order of `accounts.record_id`. A snapshot is one connection, which carries one
 * result at a time, so accounts come in pages and each table is read for a page by its index on account: memory stays flat.
 */
export async function* streamAccounts(
  snapshot: Snapshot,
  tenants: readonly number[],
  options: StreamOptions,
): AsyncGenerator<AccountRows> {
  const run = createQueryRunner(snapshot)
  let after = 0
  for (;;) {
    const accounts = await run('killbill.fold.accounts', accountPage(tenants, after))
    const last = accounts.at(-1)
    if (last === undefined) return
    const to = parseInteger(last['record_id'])
    const page = await readPage(run, { tenants, after, to }, options)
    for (const account of accounts) yield readAccount({ ...page(String(account['record_id'])), account })
    after = to
  }
}

type PageTable = keyof ReturnType<typeof pageStatements>

/** Rows of every table by account. */
async function readPage(
  run: QueryRunner,
  page: AccountPage,
  { invoices, layout }: StreamOptions,
): Promise<(account: string) => Record<PageTable, readonly Row[]>> {
  const statements = pageStatements(page, invoices, layout)
  const tables: (readonly [PageTable, ReadonlyMap<string, readonly Row[]>])[] = []
  for (const name of Object.keys(statements) as PageTable[]) {
    const rows = await run(`killbill.fold.${name}`, statements[name])
    tables.push([name, groupBy(rows, (row) => String(row['account_record_id']))])
  }
  return (account) =>
    Object.fromEntries(tables.map(([name, rows]) => [name, rows.get(account) ?? []])) as Record<PageTable, readonly Row[]>
}
