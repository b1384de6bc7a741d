-- relation: customer_field
-- reads:    kb_account, kb_account_tag
-- needs:    custom_fields, tags
-- param:    tenants integers
-- Current custom fields and tags of the accounts that count. If an account has two active fields with one name, the newest counts.
select counted.customer_key, tenant.id as source_id, account.id as customer_id, given.attribute_key, given.attribute_value,
  given.is_tag, given.record_id as position_in_engine
from (
  select field.account_record_id, fn.exact_text(field.field_name) as attribute_key, fn.exact_text(field.field_value) as attribute_value,
    false as is_tag, field.record_id,
    row_number() over (partition by field.account_record_id, fn.exact_text(field.field_name) order by field.record_id desc) as newness
  from custom_fields as field
  where field.tenant_record_id in (:tenants) and field.is_active = true and field.object_type = 'ACCOUNT'
    and field.field_value is not null
  union all
  select tagged.account_record_id, fn.exact_text(concat('tag.', fn.text(tagged.tag_name))), 'true', true, tagged.record_id, 1
  from relation.kb_account_tag as tagged
) as given
join relation.kb_account as counted on counted.customer_key = given.account_record_id
join accounts as account on account.record_id = counted.customer_key
join tenants as tenant on tenant.record_id = account.tenant_record_id
where given.newness = 1
