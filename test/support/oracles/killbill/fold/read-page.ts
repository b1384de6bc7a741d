import type { Row } from '../../../../../src/connector-kit/connector.ts'
import type { Fragment, QueryRunner } from '../../../../../src/connector-kit/query-runner.ts'
import { chunksOf } from '../../../../../src/core/batches.ts'
import { parseInteger } from '../../../../../src/core/money.ts'
import {
  type AccountPage,
  accountPage,
  chargedAccounts,
  eventStatement,
  invoiceStatements,
  type Layout,
  lifeStatements,
  namedAccounts,
} from './account-statements.ts'
import { type EventKind, eventKind } from './events.ts'
import { groupBy, groupRuns } from './group.ts'
import type { AccountTables } from './read-row.ts'

/** The accounts whose invoices are read. MRR needs only the invoices of accounts that were charged for usage in a phase with usage (D29). */
type InvoiceScope = 'all' | 'none' | { readonly mayHaveUsage: (tenant: number, phase: string) => boolean }

export interface PageOptions {
  readonly layout: Layout
  readonly invoices: InvoiceScope
}

type RowsByAccount = ReadonlyMap<string, readonly Row[]>
type Tables = { readonly [table in Exclude<keyof AccountTables, 'account'>]: RowsByAccount }

const NO_INVOICES = { invoices: new Map(), invoice_history: new Map(), invoice_items: new Map(), invoice_payments: new Map() }
const NO_ROWS: readonly Row[] = []
/** Subscriptions in one statement. */
const SUBSCRIPTIONS = 1_000

/** The accounts of a page: at most `size` accounts after a `record_id`, or the named accounts. */
type PagePlace = { readonly tenants: readonly number[] } & (
  | { readonly after: number; readonly size: number }
  | { readonly accounts: readonly number[] }
)

/** The rows of a page, account by account in the order of `record_id`. Empty after the last page. */
export async function readPage(run: QueryRunner, place: PagePlace, options: PageOptions): Promise<readonly AccountTables[]> {
  const { tenants } = place
  const isNamed = 'accounts' in place
  const accounts = await run(
    'killbill.fold.accounts',
    isNamed ? namedAccounts(tenants, place.accounts) : accountPage(tenants, place.after, place.size),
  )
  const last = accounts.at(-1)
  if (last === undefined) return []
  const page = isNamed ? place : { tenants, after: place.after, to: parseInteger(last['record_id']) }
  const life = await runAll(run, lifeStatements(page))
  const events = await readEvents(run, life.subscriptions, options.layout)
  const tables: Tables = { ...life, events, ...(await readInvoices(run, page, accounts, events, options)) }
  return accounts.map((account) => tablesOf(account, tables))
}

/** Events by the account of their subscription. The account in the event's own row may differ. */
async function readEvents(run: QueryRunner, subscriptions: RowsByAccount, layout: Layout): Promise<RowsByAccount> {
  const owners = new Map([...subscriptions].flatMap(([account, own]) => own.map((row) => [String(row['id']), account])))
  const rows: Row[] = []
  for (const chunk of chunksOf([...owners.keys()], SUBSCRIPTIONS)) {
    for (const row of await run('killbill.fold.events', eventStatement(chunk, layout))) rows.push(row)
  }
  return groupBy(rows, (row) => owners.get(String(row['subscription_id'])) ?? '')
}

async function readInvoices(
  run: QueryRunner,
  page: AccountPage,
  accounts: readonly Row[],
  events: RowsByAccount,
  { invoices, layout }: PageOptions,
): Promise<Pick<Tables, keyof typeof NO_INVOICES>> {
  if (invoices === 'none') return NO_INVOICES
  if (invoices === 'all') return runAll(run, invoiceStatements(page, layout))
  const candidates = accounts.filter((account) => {
    const tenant = parseInteger(account['tenant_record_id'])
    const own = events.get(String(account['record_id'])) ?? NO_ROWS
    return own.some((event) => namesPhase(event) && invoices.mayHaveUsage(tenant, String(event['phase_name'] ?? '')))
  })
  const named = (keys: readonly Row[], column: string) => ({
    tenants: page.tenants,
    accounts: keys.map((row) => parseInteger(row[column])),
  })
  if (candidates.length === 0) return NO_INVOICES
  const charged = await run('killbill.fold.charged_accounts', chargedAccounts(named(candidates, 'record_id')))
  if (charged.length === 0) return NO_INVOICES
  return runAll(run, invoiceStatements(named(charged, 'account_record_id'), layout))
}

/** Kinds of events that set the phase. Other events leave it unchanged. */
const PHASE_KINDS: ReadonlySet<EventKind | null> = new Set<EventKind>(['start', 'transfer', 'change', 'phase'])

function namesPhase(event: Row): boolean {
  const user_type = event['user_type'] ?? null
  return PHASE_KINDS.has(
    eventKind({ event_type: String(event['event_type']), user_type: user_type === null ? null : String(user_type) }),
  )
}

/** Runs statements one after the other, because a snapshot carries one result at a time. */
async function runAll<Name extends string>(
  run: QueryRunner,
  statements: Readonly<Record<Name, Fragment>>,
): Promise<Record<Name, RowsByAccount>> {
  const tables = {} as Record<Name, RowsByAccount>
  for (const name of Object.keys(statements) as Name[]) {
    const rows = await run(`killbill.fold.${name}`, statements[name])
    tables[name] = groupRuns(rows, (row) => String(row['account_record_id']))
  }
  return tables
}

function tablesOf(account: Row, tables: Tables): AccountTables {
  const key = String(account['record_id'])
  const own = (table: keyof Tables): readonly Row[] => tables[table].get(key) ?? NO_ROWS
  return {
    account,
    bundles: own('bundles'),
    subscriptions: own('subscriptions'),
    events: own('events'),
    blocking_states: own('blocking_states'),
    invoices: own('invoices'),
    invoice_history: own('invoice_history'),
    invoice_items: own('invoice_items'),
    invoice_payments: own('invoice_payments'),
    tags: own('tags'),
  }
}
