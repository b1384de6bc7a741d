-- relation: billing_part
-- reads:    agreed_stretch, billed_stretch, billing_condition, billing_in_arrears, customer_zone
-- param:    now timestamp
-- param:    today date
-- Everything that says what is agreed and billed on the days [from_day, to_day) of a subscription, with one number for each fact (H1 to H3).
-- The values of a day are the sums over the parts that contain it. Billed days go up to yesterday, as agreed days do. In arrears, the days of the
-- period that has not ended by yesterday are not due. Without a billed period the first one may be shorter, so one period more is not due.
select agreed.customer_key, agreed.subscription_id, agreed.first_day as from_day, agreed.end_day as to_day, 1 as spans,
  agreed.monthly_cents as agreed, agreed.quantity, case when agreed.is_unpriced = true then 1 else 0 end as unpriced,
  coalesce(agreed.monthly_cents_before, 0) as agreed_before, 0 as items, 0 as billed, 0 as billed_quantity, 0 as old_drafts,
  0 as failures, 0 as parked, 0 as overdue, 0 as switched_off, 0 as reverted, 0 as transferred,
  case when agreed.monthly_cents_before is null then 0 else agreed.first_day end as price_number, 0 as reverted_from, 0 as not_due
from relation.agreed_stretch as agreed
union all
select given.customer_key, given.subscription_id, given.end_day, 9999999, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0
from relation.agreed_stretch as given
where given.end_reason = 'bundle_transfer'
union all
select billed.customer_key, billed.subscription_id,
  fn.day_number(billed.starts_on),
  case when fn.day_number(billed.ends_on) <= fn.day_number(fn.add_seconds(:now, coalesce(zone.utc_offset_seconds, 0)))
    then fn.day_number(billed.ends_on) else fn.day_number(fn.add_seconds(:now, coalesce(zone.utc_offset_seconds, 0))) end,
  0, 0, 0, case when billed.monthly_cents is null then 1 else 0 end, 0, 1, coalesce(billed.monthly_cents, 0), coalesce(billed.quantity, 0),
  case when billed.invoice_status = 'draft' and billed.ends_on <= :today then 1 else 0 end,
  0, 0, 0, 0, 0, 0, 0, 0, 0
from relation.billed_stretch as billed
left join relation.customer_zone as zone on zone.customer_key = billed.customer_key
where billed.kind = 'recurring'
union all
select stated.customer_key, stated.subscription_id,
  fn.day_number(fn.add_seconds(stated.valid_from, coalesce(zone.utc_offset_seconds, 0))),
  coalesce(fn.day_number(fn.add_seconds(stated.valid_to, coalesce(zone.utc_offset_seconds, 0))), 9999999),
  0, 0, 0, 0, 0, 0, 0, 0, 0,
  case when stated.kind = 'invoicing_failed' then 1 else 0 end, case when stated.kind = 'account_parked' then 1 else 0 end,
  case when stated.kind = 'overdue_block' then 1 else 0 end, case when stated.kind = 'invoicing_off' then 1 else 0 end,
  case when stated.kind = 'quantity_reverted' then stated.monthly_cents else 0 end, 0, 0,
  case when stated.kind = 'quantity_reverted'
    then fn.day_number(fn.add_seconds(stated.valid_from, coalesce(zone.utc_offset_seconds, 0))) else 0 end, 0
from relation.billing_condition as stated
left join relation.customer_zone as zone on zone.customer_key = stated.customer_key
union all
select due.customer_key, due.subscription_id,
  fn.day_number(fn.add_period(due.billed_to, due.periods * due.period_months, due.periods * due.period_days)),
  9999999, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1
from (
  select ended.customer_key, ended.subscription_id, ended.billed_to, ended.period_months, ended.period_days,
    case when ended.periods > 0 then ended.periods else 0 end as periods
  from (
    select arrears.*,
      case when arrears.period_months > 0
        then fn.int_div(fn.months_between(arrears.billed_to, :today), arrears.period_months)
          - case when fn.add_period(arrears.billed_to,
              fn.int_div(fn.months_between(arrears.billed_to, :today), arrears.period_months) * arrears.period_months, 0)
            >= fn.add_period(:today, 0, 0) then 1 else 0 end
        else fn.int_div(fn.day_number(:today) - 1 - fn.day_number(arrears.billed_to), arrears.period_days) end
        - case when arrears.is_billed = true then 0 else 1 end as periods
    from relation.billing_in_arrears as arrears
  ) as ended
) as due
