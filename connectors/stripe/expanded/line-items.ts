import type { Customers } from '../../../src/connector-kit/mirror-source.ts'
import { type Fragment, sql } from '../../../src/connector-kit/query-runner.ts'
import { documents, fieldsAs, idIn, type Scope } from '../documents.ts'

const SUBSCRIPTION = { id: 'text', items: 'jsonb' } as const
const ITEM = { id: 'text', created: 'numeric', price: 'jsonb' } as const

/**
 * CTEs from `stated` to `named`, which adds `item_id` (S16). A change since 2025 may name no item:
 *
 * - A credit belongs to the item of the last line before it that states its price.
 * - A debit with a credit at its instant belongs to the item of that credit.
 * - One change can have several credits of one price. Where several prices are credited at once, the full line that follows decides.
 * - A debit alone belongs to the item whose first full line follows it with its price, else to an item of today that was created then. Without
 *   both it is a separate item.
 *
 * A nameless line that leads to another one has that line in `via`. The last CTEs follow these leads, from line to line.
 */
export function namedLines(scope: Scope, customers: Customers): Fragment {
  return sql`placed as materialized (
    select stated.*, case kind when 'credit' then 0 when 'debit' then 1 else 2 end as rank from stated where kind <> 'usage'
  ),
  counted as (
    select placed.*, min(named_item) over (partition by subscription_id, price_id) as item_of_price,
      count(*) filter (where rank > 0) over (
        partition by subscription_id, price_id order by period_start, rank, place, line_id rows between unbounded preceding and current row) as statement
    from placed
  ),
  led as materialized (
    select counted.*,
      case when kind = 'credit' and statement > 0
        then max(case when rank > 0 then line_id end) over (partition by subscription_id, price_id, statement) end as statement_before
    from counted
  ),
  first_full as (
    select subscription_id, price_id, named_item, period_start, min(period_start) over (partition by subscription_id, named_item) as item_start
    from placed where rank = 2 and named_item is not null
  ),
  following as (
    select debit.line_id, min(first_full.named_item) as item, min(case when first_full.item_start = first_full.period_start then first_full.named_item end) as fresh_item
    from placed as debit
    join first_full on first_full.subscription_id = debit.subscription_id and first_full.price_id = debit.price_id
      and first_full.period_start = debit.period_end
    where debit.kind = 'debit' and debit.named_item is null
    group by debit.line_id
  ),
  turn as (
    select led.line_id, led.kind, led.subscription_id, led.period_start, led.price_id, led.invoice_id, led.place,
      max(case when kind = 'credit' then 1 else 0 end) over p as has_credit, max(case when kind = 'debit' then 1 else 0 end) over p as has_debit
    from led where rank < 2
    window p as (partition by subscription_id, period_start, price_id)
  ),
  changed as (
    select opened.*, sum(is_first) over p as number, sum(is_first) over (partition by subscription_id, period_start, kind) as parts
    from (
      select turn.*, case when row_number() over (partition by subscription_id, period_start, kind, price_id order by invoice_id, place, line_id) = 1
        then 1 else 0 end as is_first
      from turn where has_credit + has_debit = 1
    ) as opened
    window p as (partition by subscription_id, period_start, kind order by invoice_id, place, line_id)
  ),
  changed_price as (
    select subscription_id, period_start, kind, price_id, min(number) as number, max(parts) as parts, min(line_id) as line_id
    from changed group by subscription_id, period_start, kind, price_id
  ),
  paired as (
    select debit.line_id, min(credit.line_id) as credit_id, 1 as is_certain
    from turn as debit
    join turn as credit on credit.subscription_id = debit.subscription_id and credit.period_start = debit.period_start
      and credit.price_id = debit.price_id and credit.kind = 'credit'
    where debit.kind = 'debit'
    group by debit.line_id
    union all
    select debit.line_id, credit.line_id, case when debit.parts = 1 and credit.parts = 1 then 1 else 0 end
    from changed as debit
    join changed_price as own on own.subscription_id = debit.subscription_id and own.period_start = debit.period_start and own.kind = 'debit'
      and own.price_id = debit.price_id
    join changed_price as credit on credit.subscription_id = own.subscription_id and credit.period_start = own.period_start
      and credit.kind = 'credit' and credit.number = own.number
    where debit.kind = 'debit'
  ),
  today as materialized (
    select subscription.id as subscription_id, part.id as item_id, part.created, ${idIn(sql`part.price`)} as price_id
    from ${documents('subscriptions', scope, SUBSCRIPTION, customers)} as subscription
    cross join lateral jsonb_array_elements(subscription.items -> 'data') as listed (document)
    cross join lateral jsonb_to_record(listed.document) ${fieldsAs('part', ITEM)}
  ),
  created_then as (
    select debit.line_id,
      coalesce(min(case when today.price_id = debit.price_id then today.item_id end), min(today.item_id)) as item
    from placed as debit
    join today on today.subscription_id = debit.subscription_id
    where debit.kind = 'debit' and debit.named_item is null and abs(today.created - debit.period_start) <= 60
    group by debit.line_id
  ),
  link as (
    select led.line_id,
      coalesce(led.named_item, case
        when led.kind = 'credit' and led.statement_before is null then coalesce(led.item_of_price, concat('price:', led.price_id))
        when led.kind in ('full', 'trial') then coalesce(led.item_of_price, concat('price:', led.price_id))
        when led.kind = 'debit' and paired.is_certain = 0 then following.item
        when led.kind = 'debit' and paired.line_id is null then coalesce(following.fresh_item,
          case when changed.parts > 1 then following.item end, created_then.item, concat('line:', led.line_id)) end)
        as item,
      case when led.kind = 'credit' then led.statement_before else paired.credit_id end as via
    from led
    left join paired on paired.line_id = led.line_id
    left join changed on changed.line_id = led.line_id
    left join following on following.line_id = led.line_id
    left join created_then on created_then.line_id = led.line_id
  ),
  followed (line_id, via, item) as (
    select link.line_id, case when link.item is null then link.via end, link.item from link
    union all
    select followed.line_id, case when link.item is null then link.via end, link.item
    from followed
    join link on link.line_id = followed.via
    where followed.item is null
  ),
  named as (
    select stated.*, coalesce(followed.item, stated.named_item, concat('price:', stated.price_id)) as item_id
    from stated
    left join followed on followed.line_id = stated.line_id and followed.item is not null
  )`
}
