-- relation: ledger_write_off
-- reads:    kb_ledger_invoice
-- param:    tenants integers
-- param:    now timestamp
-- Days on which an invoice is written off (R15): those with the tag WRITTEN_OFF. Tags whose days touch are one.
with tagged as (
  select invoice.customer_key, invoice.invoice_id, cast(fn.add_seconds(tag.created_date, invoice.utc_offset_seconds) as date) as from_on,
    case when tag.is_active = true then date '9999-12-31'
      else cast(fn.add_seconds(tag.updated_date, invoice.utc_offset_seconds) as date) end as to_on
  from tags as tag
  join relation.kb_ledger_invoice as invoice on invoice.invoice_id = tag.object_id
  where tag.tenant_record_id in (:tenants) and tag.object_type = 'INVOICE'
    and tag.tag_definition_id = '00000000-0000-0000-0000-000000000004' and tag.created_date <= :now
),
reached as (
  select tagged.*, max(tagged.to_on) over (partition by tagged.invoice_id order by tagged.from_on, tagged.to_on
    rows between unbounded preceding and 1 preceding) as reached_on
  from tagged
  where tagged.from_on < tagged.to_on
),
island as (
  select reached.*, sum(case when reached.reached_on >= reached.from_on then 0 else 1 end) over (partition by reached.invoice_id
    order by reached.from_on, reached.to_on rows unbounded preceding) as number
  from reached
)
select island.customer_key, island.invoice_id, min(island.from_on) as from_on,
  case when max(island.to_on) < date '9999-12-31' then max(island.to_on) end as to_on
from island
group by island.customer_key, island.invoice_id, island.number
