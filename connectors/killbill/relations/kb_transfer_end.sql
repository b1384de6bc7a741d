-- relation: kb_transfer_end
-- reads:    kb_transfer
-- needs:    customer_link
-- param:    now timestamp
-- param:    until timestamp
-- Ends of subscriptions whose bundle was transferred to another account (D19), up to :until also those known now that will
-- take effect (D80).
select subscription.account_record_id as customer_key, subscription.record_id as subscription_key, transfer.moved_at as ended_at
from relation.kb_transfer as transfer
join bundles as bundle on bundle.record_id = transfer.bundle_key
join subscriptions as subscription on subscription.bundle_id = bundle.id
where transfer.moved_at <= :now or (transfer.moved_at <= :until and transfer.known_at <= :now)
