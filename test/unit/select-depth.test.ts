import { expect, it } from 'vitest'
import { selectDepth } from '../support/product/select-depth.ts'

it.each([
  ['select 1', 1],
  ["select '(select 1)' from t", 1],
  ['select * from (select 1) as a', 2],
  ['with a as (select 1) select * from a', 2],
  ['with a as (select 1), b as (select * from a) select * from b', 3],
  ['with a as (select 1), b as (select * from a) select * from a', 2],
  ['with a as (with c as (select 1) select * from c), b as (select * from (select * from a) as d) select * from b', 5],
  ['with a as (select 1) select 1 where 1 in (select * from a union all select 2)', 3],
])('the selects of %s are %i deep', (statement, depth) => {
  expect(selectDepth(statement)).toBe(depth)
})
