-- relation: kb_invoice_number
-- param:    tenants integers
-- Numbers that a plugin gave to invoices. Without one, an invoice has its record id.
select field.object_id as invoice_id, max(field.field_value) as invoice_number
from custom_fields as field
where field.tenant_record_id in (:tenants) and field.is_active = true and field.object_type = 'INVOICE'
  and field.field_name = 'INVOICE_SEQUENCE_NUMBER'
group by field.object_id
