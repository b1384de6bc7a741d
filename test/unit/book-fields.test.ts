import { expect, it } from 'vitest'
import { metric } from '../../src/metrics/expenses/index.ts'
import { BOOK_FIELDS } from '../../src/ports/expense-store.ts'
import { filterableFields } from '../../src/query/inputs.ts'
import { EXPENSE_LISTS, expenseListInputs } from '../../src/workspace/expenses/lists.ts'

it('every open text of the books is looked up, in the metric and in the lists', () => {
  const fields = [
    ...Object.values(metric.queries).flatMap(({ inputs }) => filterableFields(inputs, true)),
    ...Object.values(EXPENSE_LISTS).flatMap((list) => expenseListInputs(list).fields),
  ].filter(({ held_in }) => held_in === 'books')
  // The words of `status` are checked by the list.
  const open = fields.filter(({ type, known, key }) => type === 'string' && known.length === 0 && key !== 'status')
  expect(open.length).toBeGreaterThan(BOOK_FIELDS.length)
  const names: readonly string[] = BOOK_FIELDS
  expect(open.map(({ key }) => key).filter((key) => !names.includes(key))).toEqual([])
})
