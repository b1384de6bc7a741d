-- relation: bundle_line
-- reads:    kb_account
-- param:    tenants integers
-- The number of the tenant, a colon, and the bundle key without the prefixes that a transfer or a re-used key adds. Bundles of
-- one customer with the same text are one line (D33). The text has at most 20 digits, a colon and 255 characters.
select account.customer_key, subscription.id as subscription_id,
  substr(concat(fn.text(bundle.tenant_record_id), ':', regexp_replace(bundle.external_key, '^((kbtsf|kbcncl)-[0-9]+:)+', '')), 1, 276) as bundle_line
from subscriptions as subscription
join bundles as bundle on bundle.id = subscription.bundle_id
join relation.kb_account as account on account.customer_key = subscription.account_record_id
where subscription.tenant_record_id in (:tenants)
