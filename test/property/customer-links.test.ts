import { expect, it } from 'vitest'
import type { Row } from '../../src/connector-kit/connector.ts'
import { continuedHistory } from '../support/data/histories/continued-history.ts'
import { fillDatabase } from '../support/data/histories/filled-database.ts'
import { HISTORIES } from '../support/data/histories/history-seeds.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { realTables } from '../support/data/recorded/recorded-tables.ts'
import { oneEngineInRotation } from '../support/databases/rotation.ts'
import type { TestDatabase } from '../support/databases/targets.ts'
import { type LinkRows, readLinkRows } from '../support/oracles/killbill/fold/link-rows.ts'
import { type Links, linksOf } from '../support/oracles/killbill/fold/links.ts'
import { relationRows } from '../support/product/relation-rows.ts'

const LAYOUT = { has_quantity: true, has_payment_status: true }

/** The keys of each account. */
async function keysOf(database: TestDatabase, now: Date): Promise<ReadonlyMap<number, ReadonlySet<string>>> {
  const { customer_link } = await relationRows(database, ['customer_link'], { now, tenant: ['all'], rates: [] })
  const keys = new Map<number, Set<string>>()
  for (const row of customer_link) {
    const account = Number(row['customer_key'])
    keys.set(account, (keys.get(account) ?? new Set()).add(String(row['link_key'])))
  }
  return keys
}

function without(rows: LinkRows, account: number): LinkRows {
  const kept = (own: readonly Row[]) => own.filter((row) => Number(row['account_record_id']) !== account)
  return {
    bundles: kept(rows.bundles),
    links: kept(rows.links),
    accounts: kept(rows.accounts),
    invoices: kept(rows.invoices),
    children: kept(rows.children),
    invoice_history: kept(rows.invoice_history),
    invoice_items: kept(rows.invoice_items),
    invoice_payments: kept(rows.invoice_payments),
    tags: kept(rows.tags),
  }
}

/** Ids of bundles and invoices whose link differs. */
function differing(before: Links, after: Links): readonly string[] {
  return [before.transfers, before.parents].flatMap((was, index) => {
    const is = index === 0 ? after.transfers : after.parents
    return [...new Set([...was.keys(), ...is.keys()])].filter((id) => was.get(id) !== is.get(id))
  })
}

/**
 * Pairs of accounts of which the first depends on the second: without the rows of the second, a link of the first is another one. A link
 * may also depend on the next candidate, if the first one goes. `depth` is the number of accounts that go one after the other.
 */
function dependencies(
  rows: LinkRows,
  ownerOf: ReadonlyMap<string, number>,
  now: string,
  depth: number,
): readonly (readonly [number, number])[] {
  const accounts = [...new Set(Object.values(rows).flatMap((own) => own.map((row) => Number(row['account_record_id']))))]
  // Accounts may go in any order: the same ones leave the same links.
  const linksWithout = new Map<string, Links>()
  const visited = new Set<string>()
  const nameOf = (gone: readonly number[]) => [...gone].sort((one, other) => one - other).join()
  const visit = (rest: LinkRows, gone: readonly number[]): readonly (readonly [number, number])[] => {
    const name = nameOf(gone)
    if (visited.has(name)) return []
    visited.add(name)
    const whole = linksWithout.get(name) ?? linksOf(rest, now)
    return accounts
      .filter((account) => !gone.includes(account))
      .flatMap((account) => {
        const next = [...gone, account]
        const links = linksWithout.get(nameOf(next)) ?? linksOf(without(rest, account), now)
        linksWithout.set(nameOf(next), links)
        const owners = differing(whole, links).map((id) => ownerOf.get(id) ?? account)
        const others = [...new Set(owners)].filter((owner) => owner !== account)
        if (others.length === 0) return []
        const later = next.length === depth ? [] : visit(without(rest, account), next)
        return [...others.map((owner) => [owner, account] as const), ...later]
      })
  }
  return visit(rows, [])
}

oneEngineInRotation('accounts that depend on each other', (target) => {
  const check = async (database: TestDatabase, bundles: readonly Row[], invoices: readonly Row[], now: string) => {
    const keys = await keysOf(database, new Date(`${now.replace(' ', 'T')}Z`))
    const tenants = (await database.adminQuery('select record_id from tenants where record_id > 0')).map((row) =>
      Number(row['record_id']),
    )
    const rows = await database.executor().withSnapshot((snapshot) => readLinkRows(snapshot, { tenants }, LAYOUT))
    const ownerOf = new Map([...bundles, ...invoices].map((row) => [String(row['id']), Number(row['account_record_id'])]))
    const pairs = dependencies(rows, ownerOf, now, 3)
    const unlinked = pairs.filter(([one, other]) => ![...(keys.get(one) ?? [])].some((key) => keys.get(other)?.has(key)))
    expect(unlinked).toEqual([])
    return { pairs: new Set(pairs.map(String)).size, keys: [...keys.values()].flatMap((own) => [...own]) }
  }

  it('share a key in the recording', async () => {
    const found = await check(await sharedReal(target), realTables('bundles'), realTables('invoices'), '2026-11-21 00:00:00')
    expect(found.pairs).toBeGreaterThan(0)
  })

  it.each([HISTORIES.continued, HISTORIES.relations])(
    'share a key in a history that goes on, seed %i',
    async (seed, accounts) => {
      const history = await continuedHistory([seed, accounts], 500)
      const { database, tables } = await fillDatabase(target, history.tables)
      const found = await check(database, tables('bundles'), tables('invoices'), history.now)
      expect(found.pairs).toBeGreaterThan(10)
      for (const kind of ['bundle ', 'invoice ']) expect(found.keys.some((key) => key.startsWith(kind))).toBe(true)
      // A key of every customer would make each refresh a filling.
      expect(new Set(found.keys).size).toBeGreaterThan(5)
    },
  )
})
