-- relation: kb_account_zone
-- reads:    kb_account, zone_offset
-- The fixed offset of the days of every account (KB 1.3): that of its time zone at its reference time.
select counted.customer_key, coalesce(zone.offset_seconds, 0) as utc_offset_seconds
from relation.kb_account as counted
join accounts as account on account.record_id = counted.customer_key
left join relation.zone_offset as zone on zone.time_zone = account.time_zone
  and account.reference_time >= zone.from_at and account.reference_time < zone.to_at
