-- metric: ledger
-- query:  verify_invoices
-- reads:  open_balance, billed_invoice, ledger_transfer
-- unsliced
-- The balance of each invoice in the list of invoices (D90), and in the books with all that is known (J16). Invoices that differ have a row each, all others
-- are one row by currency. Invoices of families are left out: the list keeps a child's balance until its parent has paid (R16). A child whose parent
-- has a draft or a void has open invoices with a balance of 0 in the list.
with part as (
  select balance.customer_key, balance.invoice_id, balance.currency, 0 as listed_cents, balance.balance_cents as booked_cents
  from relation.open_balance as balance
  where balance.invoice_id is not null
  union all
  select billed.customer_key, billed.invoice_id, billed.currency, billed.balance_cents, 0
  from relation.billed_invoice as billed
  where billed.status in ('open', 'paid')
),
compared as (
  select part.customer_key, part.invoice_id, part.currency, sum(part.listed_cents) as listed_cents, sum(part.booked_cents) as booked_cents
  from part
  group by part.customer_key, part.invoice_id, part.currency
),
family as (
  select transfer.customer_key
  from relation.ledger_transfer as transfer
  union
  select billed.customer_key
  from relation.billed_invoice as billed
  where billed.status = 'open' and billed.balance_cents = 0
),
judged as (
  select compared.*, case when compared.listed_cents = compared.booked_cents then 'none' else 'balance' end as fault
  from compared
  left join family on family.customer_key = compared.customer_key
  where family.customer_key is null
)
select judged.fault, judged.currency, case when judged.fault <> 'none' then judged.invoice_id end as fault_id, count(*) as compared_count,
  sum(judged.listed_cents) as expected_sum, sum(judged.booked_cents) as actual_sum
from judged
group by judged.fault, judged.currency, case when judged.fault <> 'none' then judged.invoice_id end
