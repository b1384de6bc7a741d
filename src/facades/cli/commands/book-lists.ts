import { BOOK_LISTS, type BookListName, inputsOfLedger, offeredBy } from '../../../engine/shapes.ts'
import type { Command } from '../command.ts'
import { COMMON_OPTIONS, optionOf } from '../options.ts'
import { pageText } from '../page-text.ts'
import { answerQuestion, type Question } from './question.ts'

/** What people see of a row, where a program gets all of it. */
const SHOWN: Readonly<Record<BookListName, readonly string[]>> = {
  bills: ['bill_date', 'number', 'kind', 'vendor_name', 'status', 'due_date', 'currency', 'total_cents', 'payable_cents', 'id'],
  lines: ['txn_date', 'vendor_name', 'account_name', 'account_type', 'class', 'description', 'currency', 'amount_cents'],
  vendors: ['name', 'open_bills', 'currency', 'payable_cents', 'payable_base_cents', 'id'],
}

/** The lists of the books, below the metric. */
export const BOOK_LIST_COMMANDS: readonly Command[] = Object.values(BOOK_LISTS).map((list) => {
  const { name, summary } = list
  const question: Question = {
    operation:
      ({ books }) =>
      (params, spec, settings) =>
        books.list(name, params, spec, settings),
    command: `expenses ${name}`,
    text: pageText(SHOWN[name]),
  }
  const options = offeredBy(inputsOfLedger(list)).flatMap((parameter) => optionOf(parameter) ?? [])
  return {
    name: `expenses ${name}`,
    description: summary,
    options: options.filter((option) => !COMMON_OPTIONS.some((common) => common === option)),
    run: (invocation) => answerQuestion(question, invocation),
  }
})
