-- relation: kb_parent_invoice
-- reads:    kb_parent_entry
-- needs:    invoice_parent_children
-- param:    tenants integers
-- The invoice of the parent that pays each invoice of a child (KB 8.7): the one that the engine links, else the one whose item the amounts prove. Only
-- invoices with an amount need a payer.
select link.child_invoice_id, link.parent_invoice_id, paid.account_record_id as child_key
from invoice_parent_children as link
join invoices as paid on paid.id = link.child_invoice_id
where link.tenant_record_id in (:tenants)
union all
select entry.invoice_id, entry.parent_invoice_id, entry.child_key
from relation.kb_parent_entry as entry
where entry.kind = 'fitting' and entry.amount < 0 and entry.open_amount > -0.0005 and entry.open_amount < 0.0005
