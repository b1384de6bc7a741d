-- relation: kb_ledger_instant_022
-- param: tenants integers
-- The variant of kb_ledger_instant for engine 0.22, and for roles that do not see the books.
select tag.object_id as invoice_id, tag.created_date as changes_at
from tags as tag
where tag.tenant_record_id in (:tenants) and tag.object_type = 'INVOICE' and tag.tag_definition_id = '00000000-0000-0000-0000-000000000004'
