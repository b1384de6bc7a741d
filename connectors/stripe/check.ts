import type { CheckFinding, Snapshot } from '../../src/connector-kit/connector.ts'
import { createQueryRunner, parseInteger, type QueryRunner, sql } from '../../src/connector-kit/query-runner.ts'
import { refusalFinding } from '../../src/connector-kit/source-choice.ts'
import { documents, fieldsAs, idIn, type Mode, type Scope } from './documents.ts'
import { allPrices, type PriceFacts } from './expanded/prices.ts'
import { createOpener, type Opened, type StripeSettings } from './session.ts'

/** A mirror whose newest change is older than this may have stopped. */
const DAY_MS = 86_400_000

/** Findings about the mirror: family, accounts, age, subscriptions without a row, cut lists, prices, and rows of the other mode. */
export async function checkStripe(settings: StripeSettings, snapshot: Snapshot, now: Date): Promise<readonly CheckFinding[]> {
  const run = createQueryRunner(snapshot)
  const opened = await createOpener(settings)(snapshot).catch(refusalFinding)
  if ('level' in opened) return [opened]
  const { chosen, scope, facts } = opened
  if (chosen.length === 0) return [{ name: 'accounts', level: 'warning', message: 'the mirror has no account yet' }]
  const family = scope.family === 'documents' ? 'documents (`_raw_data`)' : 'typed columns'
  const began = chosen.map(
    ({ name, first_synced_at }) => `${name}${first_synced_at === null ? '' : `, mirrored since ${first_synced_at} UTC`}`,
  )
  return [
    { name: 'schema', level: 'ok', message: `mirror of Stripe with ${family}` },
    { name: 'accounts', level: 'ok', message: began.join('; ') },
    ageFinding(opened, now),
    await ghostFinding(run, scope, facts),
    await cutFinding(run, scope),
    await priceFinding(run, scope, facts),
    await modeFinding(run, scope),
    await unpaidFinding(run, scope, settings),
  ]
}

/** The age of the newest change, and what should have come. */
function ageFinding({ copied }: Opened, now: Date): CheckFinding {
  const through = copied?.through ?? null
  if (through === null) return { name: 'sync', level: 'warning', message: 'the mirror holds no rows' }
  const age = now.getTime() - Date.parse(`${through.replace(' ', 'T')}Z`)
  const newest = `complete at least up to ${through} UTC`
  const { due } = copied ?? {}
  if (due === undefined || Date.parse(`${due.at.replace(' ', 'T').slice(0, 19)}Z`) >= now.getTime())
    return { name: 'sync', level: 'ok', message: newest }
  const days = age > DAY_MS ? `, ${Math.floor(age / DAY_MS)} days ago` : ''
  return {
    name: 'sync',
    level: 'warning',
    message: `${newest}${days}; the mirror has not received ${due.subject}, which was due by ${due.at} UTC. Does its engine still run?`,
  }
}

/** Subscriptions that only invoices know, because they were canceled before the mirror began. */
async function ghostFinding(run: QueryRunner, scope: Scope, facts: PriceFacts): Promise<CheckFinding> {
  const [row] = await run(
    'stripe.without_row',
    sql`with price as materialized (${allPrices(scope, facts)}),
    line as materialized (
      select distinct coalesce(${idIn(sql`part.subscription`)}, part.parent -> 'subscription_item_details' ->> 'subscription',
          part.parent -> 'invoice_item_details' ->> 'subscription') as subscription_id,
        coalesce(${idIn(sql`part.price`)}, ${idIn(sql`part.pricing -> 'price_details' -> 'price'`)}) as price_id
      from ${documents('invoices', scope, { lines: 'jsonb' })} as invoice
      cross join lateral jsonb_array_elements(invoice.lines -> 'data') as listed (document)
      cross join lateral jsonb_to_record(listed.document)
        ${fieldsAs('part', { subscription: 'jsonb', parent: 'jsonb', price: 'jsonb', pricing: 'jsonb' })}
    ),
    held as materialized (select t.id from ${documents('subscriptions', scope, { id: 'text' })} as t)
    select count(distinct line.subscription_id) as ghosts from line
    join price on price.price_id = line.price_id
    where line.subscription_id is not null and line.subscription_id not in (select held.id from held)`,
  )
  const ghosts = parseInteger(row?.['ghosts'] ?? 0)
  return {
    name: 'subscriptions_without_row',
    level: 'ok',
    message:
      ghosts === 0
        ? 'every subscription of an invoice has a row'
        : `${ghosts} subscriptions are known by their invoices only, because they were canceled before the mirror began; their ends are inferred`,
  }
}

/** Lists that Stripe cut at ten entries: what is behind the tenth is not mirrored. */
async function cutFinding(run: QueryRunner, scope: Scope): Promise<CheckFinding> {
  const [row] = await run(
    'stripe.cut_lists',
    sql`select (select count(*) from ${documents('subscriptions', scope, { items: 'jsonb' })} as t where t.items ->> 'has_more' = 'true') as subscriptions,
      (select count(*) from ${documents('invoices', scope, { lines: 'jsonb' })} as t where t.lines ->> 'has_more' = 'true') as invoices`,
  )
  const [subscriptions, invoices] = [parseInteger(row?.['subscriptions'] ?? 0), parseInteger(row?.['invoices'] ?? 0)]
  if (subscriptions + invoices === 0) return { name: 'cut_lists', level: 'ok', message: 'no list is cut' }
  return {
    name: 'cut_lists',
    level: 'warning',
    message: `Stripe sends ten entries of a list: ${subscriptions} subscriptions lack items and ${invoices} invoices lack lines. Let the engine of the mirror expand the lists, or their amounts are partial`,
  }
}

/** Items of today whose price is unknown, and those whose amount only an invoice tells. */
async function priceFinding(run: QueryRunner, scope: Scope, facts: PriceFacts): Promise<CheckFinding> {
  const rows = await run(
    'stripe.unpriced',
    sql`with price as materialized (${allPrices(scope, facts)}),
    item as materialized (
      select ${idIn(sql`part.price`)} as price_id
      from ${documents('subscriptions', scope, { status: 'text', items: 'jsonb' })} as subscription
      cross join lateral jsonb_array_elements(subscription.items -> 'data') as listed (document)
      cross join lateral jsonb_to_record(listed.document) ${fieldsAs('part', { price: 'jsonb' })}
      where subscription.status not in ('incomplete', 'incomplete_expired', 'canceled')
    )
    select count(*) filter (where price.price_id is null) as missing, count(*) filter (where price.is_tiered = 1 and price.is_metered = 0) as tiered
    from item left join price on price.price_id = item.price_id`,
  )
  const [missing, tiered] = [parseInteger(rows[0]?.['missing'] ?? 0), parseInteger(rows[0]?.['tiered'] ?? 0)]
  const ofTiers = tiered === 0 ? '' : `; ${tiered} items have tiers, whose amount is that of their newest invoice`
  if (missing === 0) return { name: 'prices', level: 'ok', message: `every item has a price${ofTiers}` }
  return { name: 'prices', level: 'warning', message: `${missing} items have a price that the mirror does not hold${ofTiers}` }
}

/** Rows of the mode that is not read. */
async function modeFinding(run: QueryRunner, scope: Scope): Promise<CheckFinding> {
  const other: Mode = scope.mode === 'live' ? 'test' : 'live'
  const count = async (mode: Mode) => {
    const [row] = await run(
      'stripe.modes',
      sql`select count(*) as subscriptions from ${documents('subscriptions', { ...scope, mode }, { id: 'text' })} as t`,
    )
    return parseInteger(row?.['subscriptions'] ?? 0)
  }
  const [own, others] = [await count(scope.mode), await count(other)]
  return {
    name: 'mode',
    level: own === 0 && others > 0 ? 'warning' : 'ok',
    message: `${own} subscriptions of ${scope.mode} mode are read, and ${others} of ${other} mode are not`,
  }
}

async function unpaidFinding(run: QueryRunner, scope: Scope, { unpaid }: StripeSettings): Promise<CheckFinding> {
  const [row] = await run(
    'stripe.unpaid',
    sql`select count(*) as subscriptions from ${documents('subscriptions', scope, { status: 'text' })} as t where t.status = 'unpaid'`,
  )
  const found = parseInteger(row?.['subscriptions'] ?? 0)
  const then = unpaid === 'pause' ? 'they pause from their first draft invoice on' : 'they pay until they end'
  return {
    name: 'unpaid',
    level: 'ok',
    message: found === 0 ? 'no subscription is unpaid' : `${found} subscriptions are unpaid; ${then}`,
  }
}
