import { describe, expect, it } from 'vitest'
import { placesIn } from '../../src/compiler/places.ts'
import { parseTemplate } from '../../src/compiler/template.ts'

const placesOf = (reads: string, body: string) =>
  Object.fromEntries(placesIn(parseTemplate('made.sql', `-- relation: made\n-- reads: ${reads}\n${body}`)))

describe('placesIn', () => {
  it('counts each place of a statement without CTEs', () => {
    expect(
      placesOf(
        'span, customer',
        'select s.x from relation.span as s where s.x in (select o.x from relation.span as o) and 1 = (select count(*) from relation.customer as c)',
      ),
    ).toEqual({ span: 2, customer: 1 })
  })

  it('counts a place in a CTE as often as the CTE is run', () => {
    const body = `with first as (select s.x from relation.span as s join relation.plan as p on p.x = s.x where fn.lower(s.y) = 'as ('),
second as (select a.x from first as a join (select b.x from first as b) as c on c.x = a.x),
unread as (select p.x from relation.price as p)
select one.x from second as one join second as other on other.x = one.x join first on first.x = one.x join relation.plan as p on p.x = one.x`
    expect(placesOf('span, plan, price', body)).toEqual({ span: 5, plan: 6, price: 0 })
  })

  it('takes a CTE in a function and an alias of the same name for what they are', () => {
    const body = `with counted as (select s.x from relation.span as s)
select x, fn.total_of(counted) as n, (select max(first.x) from counted as first) as top from counted as counted`
    expect(placesOf('span', body)).toEqual({ span: 2 })
  })
})
