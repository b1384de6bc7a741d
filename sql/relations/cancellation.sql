-- relation: cancellation
-- reads:    subscription_fact
-- Cancellations with their reason, including scheduled ones (D46), from the facts that end a subscription. If several cancellations of a
-- customer take effect at one instant, `is_last` marks the one that was recorded last.
select ended.customer_key, ended.subscription_id, ended.stated_at as requested_at, ended.fact_at as effective_at, ended.cancel_reason,
  row_number() over (partition by ended.customer_key, ended.fact_at order by ended.stated_at desc, ended.subscription_id) = 1 as is_last
from relation.subscription_fact as ended
where ended.status = 'ended' and coalesce(ended.reason, 'cancel') in ('cancel', 'base_end')
