-- Usage charges.
-- usage_revenue {"params":{"start":"2025-03-01","end":"2025-03-31"}}
/* plumbline usage_revenue.total stored/mysql */
with
  charge as (
    select
      charge.charge_id,
      charge.customer_key,
      charge.subscription_id,
      charge.plan,
      charge.currency,
      charge.charge_date,
      charge.service_month,
      charge.amount_cents,
      charge.paid_at,
      coalesce(cast(? as date), cast(charge.paid_at as date)) as paid_on,
      case
        when charge.currency = ?
        or charge.amount_cents = 0 then charge.amount_cents
        else cast(round((charge.amount_cents) * (rate.rate), 0) as signed)
      end as amount_base_cents
    from
      (
        select
          stored.*
        from
          usage_charge as stored
      ) as charge
      left join (
        select
          cast(? as char(64) character set utf8mb4) collate utf8mb4_bin as currency,
          cast(? as date) as day,
          cast(? as decimal(38, 12)) as rate
        from
          dual
        where
          1 = 0
      ) as rate on rate.currency = charge.currency
      and rate.day = coalesce(cast(? as date), cast(charge.paid_at as date))
    where
      charge.charge_date >= cast(? as datetime(6))
      and charge.charge_date < cast(? as datetime(6))
  ),
  measure as (
    select
      fact.currency as fact_currency,
      fact.amount_cents,
      fact.amount_base_cents,
      fact.paid_on,
      case
        when fact.amount_cents <> 0
        and fact.amount_base_cents is null then 1
        else 0
      end as unrated,
      case
        when ? = 'day' then fact.charge_date
        when ? = 'month' then cast(date_format(fact.charge_date, '%Y-%m-01') as date)
        else cast(cast(? as datetime(6)) as date)
      end as bucket
    from
      charge as fact
    where
      1 = 1
  )
select
  bucket,
  fact_currency,
  sum(amount_cents) as revenue_sum,
  sum(amount_base_cents) as revenue_base_sum,
  0 as unpriced_count,
  sum(unrated) as unrated_count,
  min(
    case
      when unrated = 1 then paid_on
    end
  ) as unrated_from,
  max(
    case
      when unrated = 1 then paid_on
    end
  ) as unrated_through
from
  measure
group by
  bucket,
  fact_currency
