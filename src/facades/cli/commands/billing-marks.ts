import { withoutControls } from '../../../core/text.ts'
import type { FindingMark } from '../../../engine/engine.ts'
import { type Command, type CommandInput, optionValue, withEngine } from '../command.ts'
import { writeRecord, writeRecords } from '../output.ts'

const COLUMNS = [
  ...['id', 'kind', 'source_id', 'customer_id', 'subscription_id', 'invoice_id', 'state', 'note', 'author', 'created_at'],
  ...['base_currency', 'monthly_base_cents', 'amount_base_cents'],
]
const TEXT_COLUMNS = ['id', 'kind', 'customer_id', 'subscription_id', 'state', 'note', 'created_at']

const ofMarked = (what: string) => ({ valueHint: 'id', description: `${what} of the finding or notice` })

const mark: Command = {
  name: 'billing-health mark',
  description: 'Mark a finding or a notice as seen, or as no error; it needs as many ids as name one',
  options: ['as', 'note', 'subscription-id', 'customer-id', 'invoice-id', 'source-id'],
  texts: {
    'subscription-id': ofMarked('Subscription'),
    'customer-id': ofMarked('Customer'),
    'invoice-id': ofMarked('Invoice'),
    'source-id': ofMarked('Tenant of the engine'),
  },
  required: ['as'],
  positionals: [{ name: 'kind', description: 'Class of the finding, or kind of the notice' }],
  examples: [
    'billing-health mark not_billed --subscription-id 4711 --as no_error --note "Billed by hand until June"',
    'billing-health mark mrr_at_risk --customer-id 4712 --as seen',
  ],
  run: (invocation) => {
    const { input, io } = invocation
    const body = bodyOf(input)
    return withEngine(invocation, async ({ marks }) => {
      const made = await marks.create(body)
      writeRecord(made, markText(made), input, io)
    })
  },
}

const list: Command = {
  name: 'billing-health marks',
  description: 'List the marks of findings and notices, newest first',
  options: [],
  run: (invocation) =>
    withEngine(invocation, async ({ marks }) => {
      const found = await marks.list()
      const text = found.length === 0 ? { text: '(no marks)\n' } : {}
      const result = {
        json: found,
        rows: found.map((one) => ({ ...one })),
        columns: COLUMNS,
        text_columns: TEXT_COLUMNS,
        ...text,
      }
      writeRecords(result, invocation.input, invocation.io)
    }),
}

const unmark: Command = {
  name: 'billing-health unmark',
  description: 'Remove a mark; its finding or notice counts as before',
  options: [],
  positionals: [{ name: 'id', description: 'Id of the mark' }],
  run: (invocation) =>
    withEngine(invocation, async ({ marks }) => {
      await marks.delete(invocation.input.positionals[0] ?? '')
      writeRecord({ status: 'deleted' }, 'Removed\n', invocation.input, invocation.io)
    }),
}

/** Marks of findings and notices. */
export const MARK_COMMANDS: readonly Command[] = [mark, list, unmark]

function bodyOf(input: CommandInput): Readonly<Record<string, unknown>> {
  const given = {
    source_id: optionValue(input, 'source-id'),
    customer_id: optionValue(input, 'customer-id'),
    subscription_id: optionValue(input, 'subscription-id'),
    invoice_id: optionValue(input, 'invoice-id'),
    state: optionValue(input, 'as'),
    note: optionValue(input, 'note'),
  }
  const named = Object.entries(given).filter(([, value]) => value !== undefined)
  return { kind: input.positionals[0], ...Object.fromEntries(named) }
}

function markText({ id, kind, customer_id, subscription_id, state, note }: FindingMark): string {
  const what = subscription_id === null ? `customer ${customer_id}` : `subscription ${subscription_id}`
  const why = note === null ? '' : `: ${withoutControls(note)}`
  return `${kind} of ${withoutControls(what)} is marked as ${state}${why}\nid ${id}\n`
}
