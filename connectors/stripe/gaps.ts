import type { ConnectorSession } from '../../src/connector-kit/connector.ts'
import { parseInteger, type QueryRunner, sql, text } from '../../src/connector-kit/query-runner.ts'
import { documentsOnce, idIn, type Rows, type Scope } from './documents.ts'
import { LISTING, listedLines } from './expanded/lines.ts'
import { allPrices, type PriceFacts } from './expanded/prices.ts'
import { listedItems } from './expanded/subscriptions.ts'

/** The numbers of things that a mirror lacks about a customer. */
export interface Gaps {
  /** Subscriptions that only invoices know. */
  readonly rowless: number
  /** Items of today whose price or quantity no line states yet (S18). */
  readonly unbilled: number
  /** Subscriptions and invoices whose list of entries Stripe has cut. */
  readonly cut_items: number
  readonly cut_lines: number
}

/** The gaps by customer. Customers without any are left out. */
export type GapsByCustomer = Readonly<Record<string, Gaps>>

const SUBSCRIPTION = {
  id: 'text',
  customer: 'jsonb',
  status: 'text',
  currency: 'text',
  created: 'numeric',
  ended_at: 'numeric',
  items: 'jsonb',
} as const

/**
 * Reads the gaps of these rows. A price occurs once in a subscription, so it tells which line is about an item. A line is in force if no credit, no
 * later period and no other price of the item came after it. Each document is read once. A list that is cut has lines, so these say so.
 */
export async function readGaps(run: QueryRunner, scope: Scope, facts: PriceFacts, given: Rows): Promise<GapsByCustomer> {
  const rows = await run(
    'stripe.gaps',
    sql`with price as materialized (${allPrices(scope, facts)}),
    held as materialized (
      select t.*, ${idIn(sql`t.customer`)} as customer_id from ${documentsOnce('subscriptions', scope, SUBSCRIPTION, given)} as t
    ),
    listed as materialized (
      select t.customer_id, t.invoice_id, t.is_cut, t.subscription_id, t.named_item, t.price_id, t.period_start, t.period_end, t.place, t.quantity, t.is_proration,
        t.is_proration and (t.amount < 0 or (t.amount = 0 and t.is_crediting)) as is_credit
      from (${listedLines(documentsOnce('invoices', scope, LISTING, given))}) as t
    ),
    line as materialized (
      select listed.*, max(listed.period_start) over (partition by listed.subscription_id) as newest_start
      from listed
      join price on price.price_id = listed.price_id
      where listed.subscription_id is not null
    ),
    newest as (
      select distinct on (subscription_id, price_id) subscription_id, price_id, quantity, period_start,
        not is_credit and period_end > newest_start as is_in_force
      from line order by subscription_id, price_id, period_start desc, is_credit, is_proration, place desc
    ),
    newest_of_item as (
      select distinct on (subscription_id, named_item) subscription_id, named_item, price_id, period_start from line
      where named_item is not null and not is_credit
      order by subscription_id, named_item, period_start desc, is_proration, place desc
    ),
    gap as (
      select line.customer_id, count(distinct line.subscription_id) as rowless, 0 as unbilled, 0 as cut_items, 0 as cut_lines
      from line where line.subscription_id not in (select held.id from held) group by line.customer_id
      union all
      select item.customer_id, 0, count(*), 0, 0
      from (${listedItems(sql`(select * from held where ended_at is null and status not in ('incomplete', 'incomplete_expired'))`)}) as item
      join price on price.price_id = item.price_id and price.is_metered = 0
      left join newest on newest.subscription_id = item.subscription_id and newest.price_id = item.price_id
      left join newest_of_item as other on other.subscription_id = item.subscription_id and other.named_item = item.item_id
        and other.price_id <> item.price_id and other.period_start > newest.period_start
      where item.subscription_id in (select line.subscription_id from line)
        and (newest.is_in_force is not true or other.named_item is not null or (price.is_tiered = 0 and newest.quantity <> item.quantity))
      group by item.customer_id
      union all
      select held.customer_id, 0, 0, count(*), 0 from held where held.items ->> 'has_more' = 'true' group by held.customer_id
      union all
      select listed.customer_id, 0, 0, 0, count(distinct listed.invoice_id) from listed where listed.is_cut group by listed.customer_id
    )
    select customer_id, sum(rowless) as rowless, sum(unbilled) as unbilled, sum(cut_items) as cut_items, sum(cut_lines) as cut_lines
    from gap where customer_id is not null group by customer_id order by customer_id`,
  )
  return Object.fromEntries(
    rows.map(({ customer_id, rowless, unbilled, cut_items, cut_lines }) => [
      text(customer_id),
      {
        rowless: parseInteger(rowless),
        unbilled: parseInteger(unbilled),
        cut_items: parseInteger(cut_items),
        cut_lines: parseInteger(cut_lines),
      },
    ]),
  )
}

/** The gaps of all customers together. */
export function sumOf(gaps: GapsByCustomer): Gaps {
  const sum = (name: keyof Gaps) => Object.values(gaps).reduce((total, one) => total + one[name], 0)
  return { rowless: sum('rowless'), unbilled: sum('unbilled'), cut_items: sum('cut_items'), cut_lines: sum('cut_lines') }
}

/** The gaps as the warnings of an answer name them. */
export function warningsOf(gaps: GapsByCustomer): Pick<ConnectorSession, 'inferred_parts' | 'incomplete'> {
  const { rowless, unbilled, cut_items, cut_lines } = sumOf(gaps)
  return {
    inferred_parts: [
      { name: 'history_from_invoices' },
      ...(rowless === 0 ? [] : [{ name: 'subscriptions_without_row', count: rowless }]),
      ...(unbilled === 0 ? [] : [{ name: 'changes_not_billed', count: unbilled }]),
    ],
    ...(cut_items + cut_lines > 0 && {
      incomplete: {
        message: `${cutSentence({ cut_items, cut_lines })}. Their amounts are partial.`,
        count: cut_items + cut_lines,
      },
    }),
  }
}

/** A sentence on cut lists, without a full stop. */
export function cutSentence({ cut_items, cut_lines }: Pick<Gaps, 'cut_items' | 'cut_lines'>): string {
  return `Stripe sends ten entries of a list: ${cut_items} subscriptions lack items and ${cut_lines} invoices lack lines`
}
