-- relation: ledger_charge
-- reads:    lago_ledger_fee, lago_ledger_invoice, lago_piece
-- Fees (R5 to R7), and the tax of each invoice (R23). A fee of a wallet (type 3) is customer credit, and no charge. Days outside of 1900 to 9999 are
-- none. A fee belongs to the subscription with the last piece of its row.
with owner as (
  select piece.row_key, piece.subscription_id, row_number() over (partition by piece.row_key order by piece.from_at desc) as place_from_end
  from relation.lago_piece as piece
)
select fee.customer_key, fn.text(fee.fee_key) as charge_id, fn.text(fee.invoice_key) as invoice_id, owner.subscription_id, plan.code as plan,
  case fee.fee_type when 0 then 'usage' when 1 then 'one_off' else 'recurring' end as kind, fee.currency, fee.amount_cents, fee.issued_on as posted_on,
  fee.gone_on, case when fee.starts_on >= date '1900-01-01' and fee.starts_on < date '9999-01-01' then fee.starts_on end as starts_on,
  case when fee.ends_on >= date '1900-01-01' and fee.ends_on < date '9999-01-01' then fee.ends_on end as ends_on
from relation.lago_ledger_fee as fee
left join subscriptions as subscription on subscription.id = fee.row_key
left join plans as plan on plan.id = subscription.plan_id
left join owner on owner.row_key = fee.row_key and owner.place_from_end = 1
where fee.fee_type <> 3 and fee.amount_cents <> 0
union all
select invoice.customer_key, concat('tax ', fn.text(invoice.invoice_key)), fn.text(invoice.invoice_key), null, null, 'tax', invoice.currency,
  fn.converted(invoice.tax, invoice.factor), invoice.issued_on, invoice.gone_on, null, null
from relation.lago_ledger_invoice as invoice
where fn.converted(invoice.tax, invoice.factor) <> 0
