import { AppError, suggest } from '../../../core/errors.ts'
import { withoutControls } from '../../../core/text.ts'
import type { AttributeImportResult, IdKind } from '../../../engine/engine.ts'
import { mustBe, oneOf } from '../../presentation/parameters.ts'
import { recordsText } from '../answer-text.ts'
import { type Command, type CommandInput, optionValue, withEngine } from '../command.ts'
import { csvForm, importExit, withFile } from '../files.ts'
import { writeRecord, writeRecords } from '../output.ts'
import { progressOn } from '../progress.ts'

const COLUMNS = ['key', 'label', 'type', 'source', 'description', 'editable', 'created_at', 'updated_at']
const KINDS: readonly IdKind[] = ['id', 'external', 'email']

const list: Command = {
  name: 'attributes list',
  description: 'List the attributes of customers: stored, from the billing engine, computed',
  options: [],
  run: (invocation) =>
    withEngine(invocation, async ({ attributes }) => {
      const found = await attributes.list()
      const result = {
        json: found,
        rows: found.map((each) => ({ ...each })),
        columns: COLUMNS,
      }
      writeRecords({ ...result, text_columns: COLUMNS.slice(0, 4) }, invocation.input, invocation.io)
    }),
}

const set: Command = {
  name: 'attributes set',
  description: 'Set an attribute of one customer',
  options: [],
  positionals: [
    {
      name: 'customer',
      description: 'Id or external key of the account',
    },
    {
      name: 'key',
      description: 'Key of the attribute; a new attribute gets the type of the value',
    },
    { name: 'value', description: 'Value of the attribute' },
  ],
  run: (invocation) =>
    withEngine(invocation, async ({ attributes }) => {
      const [customer = '', key = '', value = ''] = invocation.input.positionals
      const answer = await attributes.set(customer, {
        attributes: Object.fromEntries([[key, value]]),
      })
      const text = answer.unchanged === 0 ? 'Stored\n' : 'Unchanged: the attribute already has this value\n'
      writeRecord(answer, text, invocation.input, invocation.io)
    }),
}

const importCommand: Command = {
  name: 'attributes import',
  description: 'Import attributes from a CSV file: one column identifies the customer, each other column is an attribute',
  options: ['id-column', 'id-kind', 'separator', 'encoding', 'lenient'],
  positionals: [{ name: 'csv', description: 'Path of the file' }],
  run: async (invocation) => {
    const { input, io } = invocation
    const options = {
      id_column: optionValue(input, 'id-column'),
      id_kind: kindOf(input),
      ...csvForm(input),
    }
    return withFile(input.positionals[0] ?? '', (file) =>
      withEngine(invocation, async ({ attributes }) => {
        const progress = progressOn(io)
        const result = await attributes.import(file, { ...options, onProgress: progress.show }).finally(progress.end)
        writeRecord(result, importText(result, io.stdout.color === true), input, io)
        return importExit(result.unknown_customers_total === 0 && result.cells_rejected_total === 0, input)
      }),
    )
  },
}

/** Attributes of customers, stored next to the billing engine's accounts. */
export const ATTRIBUTES_COMMAND: Command = {
  name: 'attributes',
  description: 'Manage the attributes of customers',
  options: [],
  subCommands: [list, set, importCommand],
}

function kindOf(input: CommandInput): IdKind | undefined {
  const given = optionValue(input, 'id-kind')
  const kind = KINDS.find((known) => known === given)
  if (given === undefined || kind !== undefined) return kind
  const message = mustBe('id-kind', oneOf(KINDS), given)
  throw new AppError('invalid_value', message, {
    issues: [
      {
        code: 'invalid_value',
        where: 'params.id_kind',
        value: given,
        message,
        did_you_mean: suggest(given, KINDS),
      },
    ],
  })
}

function importText(result: AttributeImportResult, bold: boolean): string {
  const { rows_read, rows_upserted, keys_created, kept_as_text, unknown_customers, unknown_customers_total, cells_rejected } =
    result
  const counts = `${rows_read} rows read, ${rows_upserted} stored, ${result.cells_rejected_total} cells rejected\n`
  const lines = [
    ...(keys_created.length === 0 ? [] : [`New attributes: ${keys_created.join(', ')}`]),
    ...(kept_as_text.length === 0
      ? []
      : [
          `Stored as text, because a number would change: ${kept_as_text.map(({ key, value }) => `${key} (${value})`).join(', ')}`,
        ]),
    ...(unknown_customers_total === 0
      ? []
      : [`Unknown customers (${unknown_customers_total}): ${unknown_customers.slice(0, 20).join(', ')}`]),
  ]
  const rejected = cells_rejected.map((cell) => ({ ...cell }))
  return [
    counts,
    ...lines.map((line) => `${withoutControls(line)}\n`),
    rejected.length === 0 ? '' : recordsText(rejected, ['row', 'key', 'value', 'reason'], { bold }),
  ].join('')
}
