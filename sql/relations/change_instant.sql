-- relation: change_instant
-- reads:    subscription_fact, billed_invoice, usage_charge
-- Instants at which rules about now change rows of a customer, for connectors without their own file. These are changes of
-- subscriptions, also planned ones, and the known instants of invoices and payments.
select fact.customer_key, fact.fact_at as changes_at
from relation.subscription_fact as fact
union
select billed.customer_key, case moment.kind when 'created' then billed.created_at when 'paid' then billed.paid_at else billed.voided_at end
from relation.billed_invoice as billed
cross join (select 'created' as kind union all select 'paid' union all select 'voided') as moment
where case moment.kind when 'created' then billed.created_at when 'paid' then billed.paid_at else billed.voided_at end is not null
union
select charge.customer_key, charge.paid_at
from relation.usage_charge as charge
