import { expect, it } from 'vitest'
import { nodesUntil } from '../../src/compiler/cut.ts'
import { parseTemplate } from '../../src/compiler/template.ts'

const TEMPLATE = parseTemplate(
  'shop/total.sql',
  `-- metric: shop
-- query:  total
-- reads:  sale
-- param:  at timestamp
with early as (
  select sale.amount from relation.sale as sale where sale.sold_at < :at
),
measure as (
  select early.amount, concat(')', '(') as marks /*{dimensions}*/ from early /* ) */ where 1 = 1 /*{filters}*/
)
select sum(amount) as total from measure`,
)

const textOf = (cte: string) =>
  nodesUntil(TEMPLATE, cte)
    .map((node) => (node.kind === 'text' ? node.text : `<${node.kind}>`))
    .join('')

it('a template is cut after a CTE, and parentheses in literals and comments do not end it', () => {
  expect(textOf('measure')).toMatch(/^with early as[\s\S]*<slot>[\s\S]*1 = 1 <slot>\n\)$/)
  expect(textOf('early')).toMatch(/^with early as \(\n {2}select[\s\S]*<param>\n\)$/)
})

it('a CTE that is not there is a mistake of the program', () => {
  expect(() => textOf('missing')).toThrow('shop/total.sql has no CTE missing')
})
