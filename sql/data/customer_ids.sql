-- metric: data
-- query:  customer_ids
-- reads:  customer
-- param:  wanted text
-- unsliced
-- The customers that a path may mean, by account id or external key; what equals the text letter by letter is chosen in TypeScript,
-- because MySQL disregards spaces at the end.
select fact.source_id, fact.customer_id, fact.external_key
from relation.customer as fact
where (fn.text(fact.customer_id) = :wanted or fn.text(fact.external_key) = :wanted)
  /*{filters}*/
