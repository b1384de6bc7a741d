-- relation: ledger_payer
-- reads:    kb_account, kb_payer
-- param:    tenants integers
-- Accounts that pay for themselves, and why the engine tries no payment (R27): the control tag AUTO_PAY_OFF, or no payment method.
select account.customer_key,
  case when off.account_record_id is not null then 'auto_pay_off' when payer.is_without_method = 1 then 'no_payment_method' end as obstacle
from relation.kb_account as account
join relation.kb_payer as payer on payer.customer_key = account.customer_key
left join (
  select distinct tag.account_record_id
  from tags as tag
  where tag.tenant_record_id in (:tenants) and tag.is_active = true and tag.object_type = 'ACCOUNT'
    and tag.tag_definition_id = '00000000-0000-0000-0000-000000000001'
) as off on off.account_record_id = account.customer_key
where payer.is_delegated = 0
