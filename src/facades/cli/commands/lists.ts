import type { ListName } from '../../../engine/engine.ts'
import { inputsOfList, LISTS, type ListDefinition, offeredBy } from '../../../engine/shapes.ts'
import type { Command } from '../command.ts'
import { COMMON_OPTIONS, type OptionName, optionOf, optionOfField } from '../options.ts'
import { pageText } from '../page-text.ts'
import { answerQuestion, type Question } from './question.ts'

const DESCRIPTIONS: Readonly<Record<ListName, string>> = {
  customers: 'Customers as they are now, with status and MRR',
  subscriptions: 'Subscriptions as they are now',
  invoices: 'Invoices as they are now, with what is still open',
}

/** What people see of a row, where a program gets all of it. */
const SHOWN: Readonly<Record<ListName, readonly string[]>> = {
  customers: ['id', 'external_key', 'name', 'country', 'status', 'live_subscriptions', 'mrr_base_cents'],
  subscriptions: ['id', 'customer_name', 'plan_id', 'status', 'quantity', 'started_at', 'cancel_at', 'mrr_base_cents'],
  invoices: ['number', 'customer_name', 'status', 'invoice_date', 'currency', 'total_cents', 'balance_cents', 'id'],
}

/** The lists of the billing engine's records. */
export const LIST_COMMANDS: readonly Command[] = Object.values(LISTS).map(commandOf)

function commandOf(list: ListDefinition): Command {
  const { name } = list
  const question: Question = {
    operation: (engine) => (params, spec, settings) => engine.list(name, params, spec, settings),
    command: name,
    text: pageText(SHOWN[name]),
  }
  return {
    name,
    description: DESCRIPTIONS[name],
    options: optionsOf(list),
    run: (invocation) => answerQuestion(question, invocation),
  }
}

function optionsOf(list: ListDefinition): readonly OptionName[] {
  const fields = list.fields.flatMap(({ key }) => optionOfField(key) ?? [])
  const others = offeredBy(inputsOfList(list)).flatMap((parameter) => optionOf(parameter) ?? [])
  return [...fields, ...others].filter((option) => !COMMON_OPTIONS.some((common) => common === option))
}
