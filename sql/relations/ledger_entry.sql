-- relation: ledger_entry
-- reads:    ledger_charge, ledger_adjustment, ledger_credit, ledger_payment, ledger_transfer, ledger_write_off
-- param:    known_on date
-- Postings that change the balance of an invoice (R13 to R16), as far as :known_on knows them (R22). The second step of an entry is its void (R3). The
-- last list repeats the entries of an invoice that is written off (R15). Those before the tag count on its day, later ones on their own day. On the day
-- of the removal, all count with the opposite sign. The empty part at the end keeps MySQL and MariaDB from merging the relation into its readers. Merged,
-- they would look up exchange rates by currency alone, and compare each posting with all days.
with own as (
  select charge.customer_key, charge.invoice_id, charge.charge_id as document_id, charge.subscription_id, charge.plan, charge.charge_id,
    charge.kind as charge_kind, charge.currency, case when charge.kind = 'tax' then 'tax' else 'charge' end as term, charge.posted_on, charge.gone_on,
    charge.amount_cents
  from relation.ledger_charge as charge
  union all
  select adjustment.customer_key, adjustment.invoice_id, adjustment.adjustment_id, adjustment.subscription_id, adjustment.plan, adjustment.charge_id,
    case when adjustment.kind = 'credit' then '' else adjustment.kind end, adjustment.currency,
    case adjustment.kind when 'tax' then 'tax' when 'credit' then 'credit_granted' else 'adjustment' end, adjustment.posted_on, adjustment.gone_on,
    adjustment.amount_cents
  from relation.ledger_adjustment as adjustment
  union all
  select credit.customer_key, credit.invoice_id, credit.credit_id, null, null, null, '', credit.currency,
    case credit.kind when 'granted' then 'credit_granted' when 'issued' then 'credit_issued' else 'credit_applied' end, credit.posted_on,
    credit.gone_on, credit.amount_cents
  from relation.ledger_credit as credit
  union all
  select payment.customer_key, payment.invoice_id, payment.payment_id, null, null, null, '', payment.currency,
    case payment.kind when 'refund' then 'refund' when 'chargeback' then 'chargeback' else 'payment' end, payment.posted_on, null,
    -payment.amount_cents
  from relation.ledger_payment as payment
  union all
  select transfer.customer_key, transfer.invoice_id, transfer.transfer_id, null, null, null, '', transfer.currency,
    case transfer.kind when 'suspense' then 'suspense' else 'transfer' end, transfer.posted_on, null, transfer.amount_cents
  from relation.ledger_transfer as transfer
),
entry as (
  select own.customer_key, own.invoice_id, own.document_id, own.subscription_id, own.plan, own.charge_id, own.charge_kind, own.currency, own.term,
    case side.step when 0 then own.posted_on else own.gone_on end as posted_on, own.posted_on as rated_on,
    case side.step when 0 then own.amount_cents else -own.amount_cents end as amount_cents, side.step as is_void
  from own
  cross join (select 0 as step union all select 1) as side
  where (side.step = 0 and own.posted_on <= :known_on) or (side.step = 1 and own.gone_on <= :known_on)
),
written as (
  select written.invoice_id, written.from_on, written.to_on, row_number() over (partition by written.invoice_id order by written.from_on) as place
  from relation.ledger_write_off as written
  where written.from_on <= :known_on
)
select entry.customer_key, entry.invoice_id, entry.document_id, entry.subscription_id, entry.plan, entry.charge_id, entry.charge_kind,
  entry.currency, case part.step when 0 then entry.term else 'write_off' end as term,
  case when part.step = 0 then entry.posted_on when part.step = 2 then written.to_on when entry.posted_on > written.from_on then entry.posted_on
    else written.from_on end as posted_on,
  case part.step when 0 then entry.rated_on else written.from_on end as rated_on,
  case part.step when 2 then -entry.amount_cents else entry.amount_cents end as amount_cents, entry.is_void
from entry
left join written on written.invoice_id = entry.invoice_id
cross join (select 0 as step union all select 1 union all select 2) as part
where (part.step = 0 and coalesce(written.place, 1) = 1)
  or (part.step > 0 and entry.posted_on < coalesce(written.to_on, date '9999-12-31') and written.invoice_id is not null
    and (part.step = 1 or written.to_on <= :known_on))
union all
select null, null, null, null, null, null, null, null, null, null, null, null, null from (select 1 as one) as nothing where 1 = 0
