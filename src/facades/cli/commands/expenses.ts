import { COUNTED_KINDS, type ExpenseImportResult } from '../../../engine/engine.ts'
import { type Command, optionValue, UsageError, withEngine } from '../command.ts'
import { csvForm, withFile } from '../files.ts'
import { writeRecord } from '../output.ts'
import { progressOn } from '../progress.ts'
import { EXPENSE_LIST_COMMANDS } from './lists.ts'

const importCommand: Command = {
  name: 'expenses import',
  description: 'Import bills and expenses from a CSV file; replaces documents that exist',
  options: ['source', 'separator', 'encoding'],
  texts: { source: { valueHint: 'name', description: 'Name of the books of the file' } },
  required: ['source'],
  positionals: [{ name: 'csv', description: 'Path of the file' }],
  run: async (invocation) => {
    const { input, io } = invocation
    const source = optionValue(input, 'source')
    if (source === undefined) throw new UsageError(['--source is required'])
    const form = csvForm(input)
    return withFile(input.positionals[0] ?? '', (file) =>
      withEngine(invocation, async ({ expenses }) => {
        const progress = progressOn(io)
        const result = await expenses.import(file, { source, ...form, onProgress: progress.show }).finally(progress.end)
        writeRecord(result, importText(result), input, io)
      }),
    )
  },
}

/** Commands below the metric `expenses`: the import and the lists. */
export const EXPENSE_COMMANDS: readonly Command[] = [importCommand, ...EXPENSE_LIST_COMMANDS]

function importText({ source_id, rows_read, documents, changed }: ExpenseImportResult): string {
  const kinds = COUNTED_KINDS.flatMap((kind) => (changed[kind] === 0 ? [] : [`${kind.replace('_', ' ')} ${changed[kind]}`]))
  const said = kinds.length === 0 ? 'nothing changed' : `new or changed: ${kinds.join(', ')}`
  return `${rows_read} rows read, ${documents} documents in ${source_id}; ${said}\n`
}
