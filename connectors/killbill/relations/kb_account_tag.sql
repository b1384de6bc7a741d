-- relation: kb_account_tag
-- param:    tenants integers
-- Active tags of accounts by name (KB 9.3). Control tags have fixed ids and no definition. A tag that is set twice appears once.
select tagging.account_record_id, tagging.tag_name, min(tagging.record_id) as record_id
from (
  select tag.account_record_id, tag.record_id,
    fn.exact_text(coalesce(definition.name, case tag.tag_definition_id
      when '00000000-0000-0000-0000-000000000001' then 'AUTO_PAY_OFF'
      when '00000000-0000-0000-0000-000000000002' then 'AUTO_INVOICING_OFF'
      when '00000000-0000-0000-0000-000000000003' then 'OVERDUE_ENFORCEMENT_OFF'
      when '00000000-0000-0000-0000-000000000004' then 'WRITTEN_OFF'
      when '00000000-0000-0000-0000-000000000005' then 'MANUAL_PAY'
      when '00000000-0000-0000-0000-000000000006' then 'TEST'
      when '00000000-0000-0000-0000-000000000007' then 'PARTNER'
      when '00000000-0000-0000-0000-000000000008' then 'AUTO_INVOICING_DRAFT'
      when '00000000-0000-0000-0000-000000000009' then 'AUTO_INVOICING_REUSE_DRAFT'
      when '00000000-0000-0001-0000-000000000001' then '__PARK__'
    end)) as tag_name
  from tags as tag
  left join tag_definitions as definition on definition.id = tag.tag_definition_id
    and definition.tenant_record_id = tag.tenant_record_id
  where tag.tenant_record_id in (:tenants) and tag.is_active = true and tag.object_type = 'ACCOUNT'
) as tagging
where tagging.tag_name is not null
group by tagging.account_record_id, tagging.tag_name
