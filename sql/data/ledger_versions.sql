-- metric: data
-- query:  ledger_versions
-- reads:  kept_stretch, ledger_charge, ledger_invoice, customer, tenant
-- unsliced
-- The versions of charges (R5) with their kept days (R6), in the order of posting. Days are numbers since 1970-01-01.
select fact.charge_id, fact.invoice_id, invoice.invoice_number, customer.source_id, tenant.tenant_name, customer.customer_id,
  customer.customer_name, fact.subscription_id, fact.plan, fact.charge_kind, fact.currency, fact.posted_on, charge.starts_on as service_from,
  charge.ends_on as service_to, fact.charged_cents, fact.known_from as known_number, fact.known_to as end_number, fact.net_cents,
  fact.whole, fact.starts_on as start_number, fact.days
from relation.kept_stretch as fact
join relation.customer as customer on customer.customer_key = fact.customer_key
left join relation.tenant as tenant on tenant.source_id = customer.source_id
left join relation.ledger_charge as charge on charge.charge_id = fact.charge_id
left join relation.ledger_invoice as invoice on invoice.invoice_id = fact.invoice_id
where 1 = 1
/*{filters}*/
order by fact.posted_day, fact.charge_id, fact.known_from, fact.starts_on
