-- Paid invoices at the rate of their day.
-- ltv {"params":{"query_type":"cohort","start":"2025-03-01","end":"2025-03-31"}}
/* plumbline ltv.cohort stored/postgres */
with
  rel_fx_rate as (
    select
      $1::text as currency,
      $2::date as day,
      $3::numeric as rate
    where
      1 = 0
  ),
  rel_mrr_span as (
    with
      rated as (
        select
          span.*,
          case
            when span.subscription_mrr_cents = 0
            or span.currency = $4::text then span.subscription_mrr_cents
            else cast(round((span.subscription_mrr_cents) * (subscription_rate.rate), 0) as bigint)
          end as subscription_base_cents,
          case
            when span.usage_mrr_cents = 0
            or span.currency = $4::text then span.usage_mrr_cents
            else cast(round((span.usage_mrr_cents) * (usage_rate.rate), 0) as bigint)
          end as usage_base_cents
        from
          (
            select
              stored.*
            from
              subscription_span as stored
            where
              stored.valid_from <= $5::timestamp
              and (
                stored.valid_to is null
                or stored.valid_to >= $6::timestamp
              )
          ) as span
          left join rel_fx_rate as subscription_rate on subscription_rate.currency = span.currency
          and subscription_rate.day = span.subscription_fixed_on
          left join rel_fx_rate as usage_rate on usage_rate.currency = span.currency
          and usage_rate.day = span.usage_fixed_on
        where
          span.valid_from <= $7::timestamp
          and (
            span.valid_to is null
            or span.valid_to >= $8::timestamp
          )
      )
    select
      customer_key,
      subscription_id,
      valid_from,
      valid_to,
      status,
      plan,
      plan_key,
      phase_type,
      price_list,
      quantity,
      currency,
      subscription_mrr_cents,
      usage_mrr_cents,
      mrr_cents,
      subscription_base_cents as subscription_mrr_base_cents,
      usage_base_cents as usage_mrr_base_cents,
      subscription_base_cents + usage_base_cents as mrr_base_cents,
      is_trial,
      is_live,
      is_paused,
      is_unpriced,
      start_reason,
      end_reason,
      subscription_fixed_on,
      usage_fixed_on
    from
      rated
  ),
  first_step as (
    select
      span.customer_key,
      span.currency,
      min(
        case
          when span.mrr_cents > 0 then span.valid_from
        end
      ) as paying_from,
      min(
        case
          when span.is_unpriced = true then span.valid_from
        end
      ) as unpriced_from
    from
      rel_mrr_span as span
    where
      span.mrr_cents > 0
      or span.is_unpriced = true
    group by
      span.customer_key,
      span.currency
  ),
  placed as (
    select
      first_step.customer_key,
      first_step.currency,
      min(first_step.paying_from) over c as paying_from,
      min(first_step.unpriced_from) over c as unpriced_from,
      row_number() over (
        partition by
          first_step.customer_key
        order by
          first_step.currency
      ) as place
    from
      first_step
    window
      c as (
        partition by
          first_step.customer_key
      )
  ),
  payer as (
    select
      placed.customer_key,
      placed.currency,
      placed.place,
      cast(date_trunc('month', cast(placed.paying_from as timestamp)) as date) as first_month,
      case
        when placed.unpriced_from < coalesce(placed.paying_from, $9::timestamp) then 1
        else 0
      end as unpriced
    from
      placed
  ),
  paid as (
    select
      amount.customer_key,
      amount.invoice_id,
      amount.paid_at,
      amount.amount_cents,
      amount.currency,
      case
        when amount.currency = $4::text
        or amount.amount_cents = 0 then amount.amount_cents
        else cast(round((amount.amount_cents) * (rate.rate), 0) as bigint)
      end as amount_base_cents
    from
      (
        select
          invoice.customer_key,
          invoice.invoice_id,
          invoice.currency,
          invoice.paid_at,
          case
            when $10::boolean = true then invoice.amount_cents
            else invoice.amount_cents - invoice.tax_cents
          end as amount_cents
        from
          (
            select
              stored.*
            from
              invoice as stored
          ) as invoice
      ) as amount
      left join rel_fx_rate as rate on rate.currency = amount.currency
      and rate.day = coalesce($11::date, cast(amount.paid_at as date))
    where
      amount.paid_at >= $12::timestamp
      and amount.paid_at < $13::timestamp
  ),
  member as (
    select
      payer.customer_key,
      payer.first_month,
      payer.unpriced,
      kind.is_payment,
      case
        when kind.is_payment = 1 then paid.currency
        else payer.currency
      end as currency,
      paid.invoice_id,
      paid.paid_at,
      paid.amount_cents,
      paid.amount_base_cents
    from
      payer
      cross join (
        select
          0 as is_payment
        union all
        select
          1
      ) as kind
      left join paid on paid.customer_key = case
        when kind.is_payment = 1
        and payer.place = 1 then payer.customer_key
      end
    where
      kind.is_payment = 0
      or paid.invoice_id is not null
  ),
  rated as (
    select
      member.*,
      case
        when member.amount_cents <> 0
        and member.amount_base_cents is null then 1
        else 0
      end as unrated
    from
      member
  ),
  measure as (
    select
      fact.first_month as member_month,
      fact.customer_key as member_key,
      fact.is_payment,
      fact.unpriced,
      case
        when $14::text = 'base'
        and fact.unrated = 0 then null
        else fact.currency
      end as fact_currency,
      fact.amount_cents,
      fact.amount_base_cents,
      coalesce($11::date, cast(fact.paid_at as date)) as paid_on,
      fact.unrated,
      1 as event_matched
    from
      rated as fact
    where
      coalesce(fact.first_month, $15::date) >= $16::date
      and (
        fact.first_month <= $15::date
        or fact.unpriced = 1
      )
  )
select
  member_month,
  fact_currency,
  count(
    distinct case
      when is_payment = 0 then member_key
    end
  ) as member_count,
  sum(
    case
      when event_matched = 1 then amount_cents
      else 0
    end
  ) as paid_sum,
  sum(
    case
      when event_matched = 1 then amount_base_cents
      else 0
    end
  ) as paid_base_sum,
  count(
    distinct case
      when is_payment = 0
      and unpriced = 1 then member_key
    end
  ) as unpriced_count,
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
  ) as unrated_through,
  event_matched
from
  measure
group by
  member_month,
  fact_currency,
  event_matched
