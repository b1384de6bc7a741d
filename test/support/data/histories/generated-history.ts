import fc from 'fast-check'
import type { FxRate } from '../../../../src/core/currency.ts'
import { addEvents, addInvoice, type Cells, type RowSink, rowSink } from './account-rows.ts'
import { accountArbitrary, type GeneratedAccount, type GeneratedSubscription } from './drawn-account.ts'
import { FIRST_CATALOG, SECOND_CATALOG } from './history-catalogs.ts'

/** Rates that reach back before every generated instant. */
export const GENERATED_RATES: readonly FxRate[] = [
  { date: '2023-01-01', from: 'EUR', to: 'USD', rate: '1.0837' },
  { date: '2024-03-01', from: 'EUR', to: 'USD', rate: '1.1219' },
  { date: '2024-07-01', from: 'EUR', to: 'USD', rate: '0.98765' },
  { date: '2023-01-01', from: 'KWD', to: 'USD', rate: '3.2561' },
  { date: '2024-05-01', from: 'KWD', to: 'USD', rate: '3.2449' },
]

/** The same as the file that an operator would import. */
export const RATES_CSV = [
  'date,from,to,rate',
  ...GENERATED_RATES.map((row) => [row.date, row.from, row.to, row.rate].join()),
].join('\n')

/** Accounts of the second tenant all have this currency. */
export const SECOND_CURRENCY = 'EUR'

/**
 * Rows of two tenants (`one`, `two`) with that many accounts, the same for the same seed. Accounts, subscriptions and events are
 * drawn by fast-check; what the engine would refuse is among them wherever the rules say what it means. `placed` may move an account's
 * instants.
 */
export function generatedHistory(
  seed: number,
  accounts: number,
  placed: (drawn: GeneratedAccount) => GeneratedAccount = (drawn) => drawn,
): Readonly<Record<string, Cells[]>> {
  const sink = rowSink()
  for (const [index, name] of (['one', 'two'] as const).entries())
    sink.add('tenants', { id: `tenant-${name}`, external_key: name, api_key: `key-${index}` })
  for (const [index, versions] of [FIRST_CATALOG, SECOND_CATALOG].entries()) {
    for (const tenant_value of versions) sink.add('tenant_kvs', { tenant_record_id: index + 1, tenant_value })
    addOverrides(sink, index + 1)
  }
  const drawn = fc.sample(accountArbitrary, { seed, numRuns: accounts })
  const received: Given[] = []
  for (const account of drawn) received.splice(0, received.length, ...addAccount(sink, placed(account), received))
  return sink.tables
}

/** Definitions are numbered over all tenants; both tenants have theirs under the numbers that the plan names say. */
function addOverrides(sink: RowSink, tenant_record_id: number): void {
  if (tenant_record_id !== 1) return
  const override = (parent: string, phase: string, prices: readonly (readonly [string, string | null])[]) => {
    const plan = sink.add('catalog_override_plan_definition', { tenant_record_id, parent_plan_name: parent })
    for (const [index, [currency, recurring_price]] of prices.entries()) {
      const cells = { tenant_record_id, parent_phase_name: `${parent}-${phase}`, currency, recurring_price }
      const phase_def_record_id = sink.add('catalog_override_phase_definition', cells)
      const link = { tenant_record_id, phase_number: index + 1, phase_def_record_id, target_plan_def_record_id: plan }
      sink.add('catalog_override_plan_phase', link)
    }
  }
  override('p-monthly', 'evergreen', [['USD', '77.77']])
  override('phased', 'evergreen', [
    ['EUR', '12.345'],
    ['USD', null],
  ])
}

/** A bundle on its way to the next account of its tenant. */
interface Given {
  readonly tenant: number
  readonly key: string
  readonly at: string
  readonly subscriptions: readonly GeneratedSubscription[]
}

function addAccount(sink: RowSink, drawn: GeneratedAccount, received: readonly Given[]): Given[] {
  const number = (sink.tables['accounts']?.length ?? 0) + 1
  const tenant = number % 4 === 0 ? 2 : 1
  const currency = tenant === 2 ? SECOND_CURRENCY : drawn.currency
  const id = `account-${number}`
  const owner = { tenant_record_id: tenant, account_record_id: number }
  const country = number % 3 === 0 ? 'DE' : null
  sink.add('accounts', { tenant_record_id: tenant, id, external_key: id, name: `Customer ${number}`, currency, country })
  if (drawn.is_test)
    sink.add('tags', {
      ...owner,
      object_id: id,
      object_type: 'ACCOUNT',
      tag_definition_id: '00000000-0000-0000-0000-000000000006',
    })
  const objects = { ACCOUNT: [id], SUBSCRIPTION_BUNDLE: [] as string[], SUBSCRIPTION: [] as string[] }
  const addBundle = (
    key: (record: number) => string,
    subscriptions: readonly GeneratedSubscription[],
    movedAt: string | null,
  ) => {
    const record = (sink.tables['bundles']?.length ?? 0) + 1
    const bundle = `bundle-${record}`
    objects.SUBSCRIPTION_BUNDLE.push(bundle)
    sink.add('bundles', { ...owner, id: bundle, account_id: id, external_key: key(record) })
    for (const subscription of subscriptions) {
      const own = `subscription-${(sink.tables['subscriptions']?.length ?? 0) + 1}`
      objects.SUBSCRIPTION.push(own)
      const { category, start } = subscription
      sink.add('subscriptions', { ...owner, id: own, bundle_id: bundle, external_key: own, category, start_date: start })
      addEvents(sink, own, subscription, owner, movedAt)
    }
  }
  const kept = received.filter((given) => given.tenant !== tenant)
  for (const given of received.filter((candidate) => candidate.tenant === tenant))
    addBundle(() => given.key, given.subscriptions, given.at)
  const passedOn: Given[] = []
  for (const [index, { main, others, reuses_key, given_at }] of drawn.bundles.entries()) {
    const line = reuses_key ? `key-${number}` : `key-${number}-${index}`
    const subscriptions = [main, ...others]
    if (given_at !== null) {
      addBundle((record) => `kbtsf-${record}:${line}/${index}`, subscriptions, null)
      passedOn.push({ tenant, key: `${line}/${index}`, at: given_at, subscriptions })
    } else addBundle((record) => (reuses_key ? `kbcncl-${record}:${line}` : line), subscriptions, null)
  }
  for (const [index, one] of drawn.blocks.entries()) {
    const block = turnedOff(drawn.blocks[index - 1], one, index) ?? one
    const targets = objects[block.level as keyof typeof objects]
    const cells = { blockable_id: targets[block.target % targets.length] ?? id, type: block.level, service: block.service }
    const { block_billing, is_active, at } = block
    const state = block_billing ? 'ENT_BLOCKED' : 'ENT_CLEAR'
    sink.add('blocking_states', { ...owner, ...cells, state, block_billing, is_active, effective_date: at, created_date: at })
  }
  for (const invoice of drawn.invoices) addInvoice(sink, invoice, owner, currency, objects.SUBSCRIPTION)
  return [...kept, ...passedOn]
}

/** Every other block may be the opposite of the one before it, on the same object: else hardly any pause would end. */
function turnedOff(
  before: GeneratedAccount['blocks'][number] | undefined,
  { at, target }: GeneratedAccount['blocks'][number],
  index: number,
): GeneratedAccount['blocks'][number] | undefined {
  if (before === undefined || index % 2 === 0 || target < 2) return undefined
  return { ...before, block_billing: !before.block_billing, at }
}
