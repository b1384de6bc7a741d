import type { CheckFinding, Snapshot } from '../../src/connector-kit/connector.ts'
import { createQueryRunner, parseInteger, type QueryRunner, sql } from '../../src/connector-kit/query-runner.ts'
import { refusalFinding } from '../../src/connector-kit/source-choice.ts'
import type { Definitions } from '../../src/core/definitions.ts'
import { isoInstant } from '../../src/core/periods.ts'
import { documents, fieldsAs, idIn, type Mode, type Scope } from './documents.ts'
import { allPrices, type PriceFacts } from './expanded/prices.ts'
import { cutSentence, type Gaps, sumOf } from './gaps.ts'
import { refundFinding } from './refunds.ts'
import { createOpener, type Opened, type StripeSettings } from './session.ts'

/** A mirror whose newest change is older than this may have stopped. */
const DAY_MS = 86_400_000

/** Findings about the mirror: family, accounts, age, subscriptions without a row, cut lists, prices, and rows of the other mode. */
export async function checkStripe(
  settings: StripeSettings,
  snapshot: Snapshot,
  { now, definitions }: { readonly now: Date; readonly definitions: Definitions },
): Promise<readonly CheckFinding[]> {
  const run = createQueryRunner(snapshot)
  const opened = await createOpener(settings)(snapshot).catch(refusalFinding)
  if ('level' in opened) return [opened]
  const { chosen, scope, facts, mirror, unplaced } = opened
  const gaps = sumOf(facts.gaps)
  if (chosen.length === 0) return [{ name: 'accounts', level: 'warning', message: 'the mirror has no account yet' }]
  const family = scope.family === 'documents' ? 'documents (`_raw_data`)' : 'typed columns'
  const began = chosen.map(
    ({ name, first_synced_at }) => `${name}${first_synced_at === null ? '' : `, mirrored since ${first_synced_at} UTC`}`,
  )
  return [
    { name: 'schema', level: 'ok', message: `mirror of Stripe with ${family}` },
    { name: 'accounts', level: 'ok', message: began.join('; ') },
    ageFinding(opened, now),
    ghostFinding(gaps),
    unbilledFinding(gaps),
    cutFinding(gaps),
    await priceFinding(run, scope, facts),
    await modeFinding(run, scope),
    await unpaidFinding(run, scope, settings),
    await refundFinding(run, mirror, unplaced, definitions),
  ]
}

/** The age of the newest change, and what should have come. */
function ageFinding({ copied }: Opened, now: Date): CheckFinding {
  const through = copied?.through ?? null
  if (through === null) return { name: 'sync', level: 'warning', message: 'the mirror holds no rows' }
  const age = now.getTime() - Date.parse(isoInstant(through))
  const newest = `complete at least up to ${through} UTC`
  const { due } = copied ?? {}
  if (due === undefined || Date.parse(isoInstant(due.at)) >= now.getTime()) return { name: 'sync', level: 'ok', message: newest }
  const days = age > DAY_MS ? `, ${Math.floor(age / DAY_MS)} days ago` : ''
  return {
    name: 'sync',
    level: 'warning',
    message: `${newest}${days}; the mirror has not received ${due.subject}, which was due by ${due.at} UTC. Does its engine still run?`,
  }
}

/** Subscriptions that only invoices know, because they were canceled before the mirror began. */
function ghostFinding({ rowless }: Gaps): CheckFinding {
  const known = `${rowless} subscriptions are known by their invoices only, because they were canceled before the mirror began; their ends are inferred`
  return {
    name: 'subscriptions_without_row',
    level: 'ok',
    message: rowless === 0 ? 'every subscription of an invoice has a row' : known,
  }
}

/** Items of today that differ from their last line, so that only the last event of their subscription dates the change. */
function unbilledFinding({ unbilled }: Gaps): CheckFinding {
  const known = `no invoice states the price or quantity of ${unbilled} items yet; the last event of their subscription dates the change`
  return {
    name: 'changes_not_billed',
    level: 'ok',
    message: unbilled === 0 ? 'invoices state the price and quantity of every item' : known,
  }
}

/** Lists that Stripe cut at ten entries: what is behind the tenth is not mirrored. */
function cutFinding(gaps: Gaps): CheckFinding {
  if (gaps.cut_items + gaps.cut_lines === 0) return { name: 'cut_lists', level: 'ok', message: 'no list is cut' }
  const message = `${cutSentence(gaps)}. Let the engine of the mirror expand the lists, or their amounts are partial`
  return { name: 'cut_lists', level: 'warning', message }
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
