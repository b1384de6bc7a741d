import { isObject } from '../../../core/json.ts'
import type { ListName } from '../../../engine/engine.ts'
import {
  acceptedByList,
  BILLING_INPUTS,
  EXPENSE_LISTS,
  type ExpenseListName,
  expenseListInputs,
  inputsOfList,
  LEDGER_LISTS,
  LISTS,
  type ListDefinition,
  type ListInputs,
  RENEWAL_INPUTS,
} from '../../../engine/shapes.ts'
import type { ParameterName } from '../../presentation/parameters.ts'
import { unitsOfColumns } from '../../presentation/table.ts'
import { recordsText } from '../answer-text.ts'
import type { Command } from '../command.ts'
import { COMMON_OPTIONS, type OptionName, optionOf, optionOfField } from '../options.ts'
import type { AnswerText } from '../output.ts'
import { answerQuestion, type Question } from './question.ts'

const DESCRIPTIONS: Readonly<Record<ListName, string>> = {
  customers: 'List customers with current status and MRR',
  subscriptions: 'List subscriptions in their current state',
  invoices: 'List invoices with their current open amount',
}

/** Columns of the text table. JSON and CSV have all columns. */
const RECORD_COLUMNS: Readonly<Record<ListName, readonly string[]>> = {
  customers: ['id', 'external_key', 'name', 'country', 'status', 'live_subscriptions', 'mrr_base_cents'],
  subscriptions: ['id', 'customer_name', 'plan_id', 'status', 'quantity', 'started_at', 'cancel_at', 'mrr_base_cents'],
  invoices: [
    'number',
    'customer_name',
    'status',
    'invoice_date',
    'currency',
    'total_cents',
    'balance_cents',
    'balance_base_cents',
    'id',
  ],
}

/** Lists of the billing engine's records. */
export const LIST_COMMANDS: readonly Command[] = Object.values(LISTS).map(commandOf)

function commandOf(list: ListDefinition): Command {
  const { name } = list
  const question: Question = {
    operation: (engine) => (params, spec, settings) => engine.list(name, params, spec, settings),
    command: name,
    text: pageText(RECORD_COLUMNS[name]),
  }
  return {
    name,
    description: DESCRIPTIONS[name],
    options: optionsOfList(inputsOfList(list)),
    run: (invocation) => answerQuestion(question, invocation),
  }
}

/** The options of a command that lists records. */
export function optionsOfList(inputs: ListInputs): readonly OptionName[] {
  const fields = inputs.fields.flatMap(({ key }) => optionOfField(key) ?? [])
  const others = acceptedByList(inputs).flatMap((parameter) => optionOf(parameter) ?? [])
  return uncommon([...fields, ...others, 'explain'])
}

/** The options that not every command has. */
function uncommon(options: readonly OptionName[]): readonly OptionName[] {
  return options.filter((option) => !COMMON_OPTIONS.some((common) => common === option))
}

const MONTH_COLUMNS = ['month', 'contracts', 'contract_mrr_base_cents', 'renewals', 'mrr_base_cents']
const RENEWAL_COLUMNS = ['renews_on', 'customer_name', 'plan_id', 'ends', 'quantity', 'currency', 'mrr_cents', 'mrr_base_cents']

/** Renewals to come: the months, then the subscriptions. */
export const RENEWALS_COMMAND: Command = {
  name: 'renewals',
  description: 'List renewals to come, with the number and MRR of each month',
  options: optionsOfList(RENEWAL_INPUTS),
  examples: ['renewals', 'renewals --range next-3-months --term contract', 'renewals --range next-3-months --plan-id pro-annual'],
  run: (invocation) =>
    answerQuestion(
      {
        operation: (engine) => engine.renewals,
        command: 'renewals',
        text: withSums('months', MONTH_COLUMNS, pageText(RENEWAL_COLUMNS)),
      },
      invocation,
    ),
}

const BILLING_MONTH_COLUMNS = ['month', 'currency', 'kind', 'charges', 'amount_cents', 'amount_base_cents']
const BILLING_COLUMNS = [
  'billed_on',
  'kind',
  'customer_name',
  'plan_id',
  'starts_on',
  'ends_on',
  'currency',
  'amount_cents',
  'amount_base_cents',
]

/** Charges to come: the months, then the charges. */
export const BILLINGS_COMMAND: Command = {
  name: 'billings',
  description: 'List the charges that the billing engine will make, with the sums of each month, currency and kind',
  options: optionsOfList(BILLING_INPUTS),
  examples: ['billings --next 6m', 'billings --next 3m --kind recurring --format csv'],
  run: (invocation) =>
    answerQuestion(
      {
        operation: (engine) => engine.billings,
        command: 'billings',
        text: withSums('months', BILLING_MONTH_COLUMNS, pageText(BILLING_COLUMNS)),
      },
      invocation,
    ),
}

/** Lists of the ledger, below the metric `ledger`. */
export const LEDGER_COMMANDS: readonly Command[] = LEDGER_LISTS.map((list) => {
  const { name, command, summary, shown, examples, inputs } = list
  return {
    name: command,
    description: summary,
    options: inputs === undefined ? optionsNamed(list.parameters) : optionsOfList(inputs),
    examples,
    run: (invocation) =>
      answerQuestion(
        {
          operation: (engine) => (params, spec, settings) => engine.ledgerList(name, params, spec, settings),
          command,
          text: inputs === undefined ? rowsText(shown) : pageText(shown),
        },
        invocation,
      ),
  }
})

// A parameter that is a filter elsewhere has the option of that filter.
function optionsNamed(parameters: readonly ParameterName[]): readonly OptionName[] {
  return uncommon(parameters.flatMap((parameter) => optionOf(parameter) ?? optionOfField(parameter) ?? []))
}

/** A table of the sums in a field of a page, then the page. */
export function withSums(field: string, columns: readonly string[], page: AnswerText): AnswerText {
  return (answer, bold, width) => {
    const sums = isObject(answer.data) ? answer.data[field] : []
    const options = { units: unitsOfColumns(answer), currency: answer.meta.base_currency, bold, width }
    return `${recordsText(Array.isArray(sums) ? sums : [], columns, options)}\n${page(answer, bold, width)}`
  }
}

/** Columns of the text table. JSON and CSV have all columns. */
const EXPENSE_COLUMNS: Readonly<Record<ExpenseListName, readonly string[]>> = {
  bills: ['bill_date', 'number', 'kind', 'vendor_name', 'status', 'due_date', 'currency', 'total_cents', 'payable_cents', 'id'],
  lines: ['txn_date', 'vendor_name', 'account_name', 'account_type', 'class', 'description', 'currency', 'amount_cents'],
  vendors: ['name', 'open_bills', 'currency', 'payable_cents', 'payable_base_cents', 'id'],
}

/** Lists of bills, lines and vendors, below the metric `expenses`. */
export const EXPENSE_LIST_COMMANDS: readonly Command[] = Object.values(EXPENSE_LISTS).map((list) => {
  const { name, summary } = list
  const question: Question = {
    operation:
      ({ expenses }) =>
      (params, spec, settings) =>
        expenses.list(name, params, spec, settings),
    command: `expenses ${name}`,
    text: pageText(EXPENSE_COLUMNS[name]),
  }
  const options = acceptedByList(expenseListInputs(list)).flatMap((parameter) => optionOf(parameter) ?? [])
  return {
    name: `expenses ${name}`,
    description: summary,
    options: uncommon(options),
    run: (invocation) => answerQuestion(question, invocation),
  }
})

/** Rows as a table with these columns. */
function rowsText(columns: readonly string[]): AnswerText {
  return ({ data, ...answer }, bold, width) =>
    recordsText(Array.isArray(data) ? data : [], columns, {
      units: unitsOfColumns(answer),
      currency: answer.meta.base_currency,
      bold,
      width,
    })
}

/** A page of a list as a table with these columns. If the page is not the whole list, a last line says which rows it shows. */
export function pageText(columns: readonly string[]): AnswerText {
  return (answer, bold, width) => {
    const { data, meta } = answer
    const page = isObject(data) ? data : {}
    const rows = Array.isArray(page['rows']) ? page['rows'] : []
    const table = recordsText(rows, columns, { units: unitsOfColumns(answer), currency: meta.base_currency, bold, width })
    const total = Number(page['total'])
    const shown = Number(page['offset']) + rows.length
    return rows.length === 0 || total <= rows.length ? table : `${table}${shown - rows.length + 1} to ${shown} of ${total}\n`
  }
}
