import { errorFromIssues } from '../../core/errors.ts'
import { type CommandInput, optionValue } from './command.ts'
import type { Io } from './io.ts'
import { chooseFormat, writeCsv, writeJson } from './output.ts'
import { recordsText } from './text.ts'

/** A result that is no metric answer, in its three forms; without `text` the records are shown as a table. */
export interface RecordsResult {
  readonly json: unknown
  readonly rows: readonly Readonly<Record<string, unknown>>[]
  readonly columns: readonly string[]
  /** Those of the columns that people see, if not all. */
  readonly text_columns?: readonly string[]
  readonly text?: string
}

const FORMS = ['text', 'json', 'csv'] as const

/** Writes a list in the format asked for. AppError `invalid_value` for an unknown one. */
export function writeRecords(result: RecordsResult, input: CommandInput, io: Io): void {
  const { format, issues } = chooseFormat(optionValue(input, 'format'), FORMS)
  if (issues.length > 0) throw errorFromIssues(issues)
  if (format === 'json') writeJson(result.json, io.stdout)
  else if (format === 'csv') writeCsv({ data: result.rows, kind: 'rows', columns: result.columns }, io.stdout)
  else
    io.stdout.write(
      result.text ??
        recordsText(result.rows, result.text_columns ?? result.columns, {
          bold: io.stdout.color === true,
          width: io.stdout.columns,
        }),
    )
}

/** Writes one object in the format asked for. */
export function writeRecord(record: object, text: string, input: CommandInput, io: Io): void {
  writeRecords({ json: record, rows: [{ ...record }], columns: Object.keys(record), text }, input, io)
}
