-- metric: data
-- query:  filter_values
-- reads:  filter_value
-- param:  most integer
-- unsliced
-- The values of the fields that a request filters by. `place` is 0 for a value that a filter names. Values that are near to these come next. Each
-- field has its number of values, and at most :most of them.
with held as (
  select fact.field_no, fact.held_value, min(fact.place) as place
  from relation.filter_value as fact
  where fact.held_value is not null
  group by fact.field_no, fact.held_value
),
placed as (
  select held.field_no, held.held_value, held.place, count(*) over (partition by held.field_no) as value_count,
    row_number() over (partition by held.field_no order by held.place, held.held_value) as nth
  from held
)
select field_no, held_value, value_count
from placed
where place = 0 or nth <= :most
order by field_no, nth
