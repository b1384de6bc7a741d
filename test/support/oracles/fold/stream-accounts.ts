import { setImmediate } from 'node:timers/promises'
import type { Snapshot } from '../../../../src/connector-kit/connector.ts'
import { createQueryRunner } from '../../../../src/connector-kit/query-runner.ts'
import { parseInteger } from '../../../../src/core/money.ts'
import { type PageOptions, readPage } from '../killbill/fold/read-page.ts'
import { readAccount } from '../killbill/fold/read-row.ts'
import type { AccountRows } from '../killbill/fold/rows.ts'

export interface StreamOptions extends PageOptions {
  /** Accounts read at a time; more need more memory and hardly less time. */
  readonly page_size?: number
}

const PAGE_SIZE = 1_000
/** Accounts after which rows of the next page may come in. */
const BREATH_ACCOUNTS = 50

/**
 * Accounts of the tenants with their rows, in the order of `accounts.record_id`. A snapshot is one connection, which carries one
 * result at a time. So accounts come in pages, and each table is read for a page by its index on account. Memory stays flat. While
 * a page is handed out the next one is read.
 */
export async function* streamAccounts(
  snapshot: Snapshot,
  tenants: readonly number[],
  options: StreamOptions,
): AsyncGenerator<AccountRows> {
  const run = createQueryRunner(snapshot)
  const pageAfter = (after: number): ReturnType<typeof readPage> => {
    const page = readPage(run, { tenants, after, size: options.page_size ?? PAGE_SIZE }, options)
    // A reader that awaits the page gets its failure. A reader that left early does not.
    page.catch(() => {})
    return page
  }
  let next = pageAfter(0)
  try {
    for (;;) {
      const page = await next
      const last = page.at(-1)
      if (last === undefined) return
      next = pageAfter(parseInteger(last.account['record_id']))
      for (const [position, tables] of page.entries()) {
        if (position % BREATH_ACCOUNTS === 0) await setImmediate()
        yield readAccount(tables)
      }
    }
  } finally {
    // The snapshot must not end under a statement of ours.
    await next.catch(() => {})
  }
}
