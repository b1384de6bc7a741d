-- relation: ledger_charge
-- reads:    kb_ledger_item
-- Charges and taxes (R4, R5) with their service days (R6). Days outside of 1900 to 9999 are none. The empty part at the end keeps MySQL and MariaDB
-- from merging the relation into its readers: they join by `charge_id`, and would compare each pair of rows.
select item.customer_key, fn.text(item.item_key) as charge_id, item.invoice_id, item.subscription_id,
  substr(regexp_replace(item.phase_name, '-(trial|discount|fixedterm|evergreen)$', ''), 1, 255) as plan,
  case item.type when 'RECURRING' then 'recurring' when 'USAGE' then 'usage' when 'FIXED' then 'fixed' when 'TAX' then 'tax'
    else 'one_off' end as kind,
  item.currency, item.amount_cents, item.posted_on, item.gone_on,
  case when item.start_date >= date '1900-01-01' and item.start_date < date '9999-01-01' then item.start_date end as starts_on,
  case when item.end_date >= date '1900-01-01' and item.end_date < date '9999-01-01' then item.end_date end as ends_on
from relation.kb_ledger_item as item
where item.type in ('RECURRING', 'USAGE', 'FIXED', 'EXTERNAL_CHARGE', 'TAX')
union all
select null, null, null, null, null, null, null, null, null, null, null, null from tenants as nothing where 1 = 0
