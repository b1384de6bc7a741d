import { open, readFile } from 'node:fs/promises'
import type { CsvForm } from '../../core/csv-form.ts'
import { AppError, errorFromIssues, type Issue } from '../../core/errors.ts'
import { readCsvForm } from '../presentation/import-options.ts'
import { type CommandInput, optionValue, UsageError } from './command.ts'

/** The JSON value of a file. UsageError if the file cannot be read, AppError `invalid_json` if it is not JSON. */
export async function readJsonFile(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw unreadable(path, error)
  })
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new AppError('invalid_json', `${path} is not JSON.`, { cause })
  }
}

/** Passes the content of a file to `use` in chunks, then closes the file. UsageError if the file cannot be read. */
export async function withFile<T>(path: string, use: (pieces: AsyncIterable<Uint8Array>) => Promise<T>): Promise<T> {
  const file = await open(path).catch((error: unknown) => {
    throw unreadable(path, error)
  })
  try {
    if ((await file.stat()).isDirectory()) throw new UsageError([`${path} is a directory`])
    return await use(file.createReadStream({ autoClose: false }))
  } finally {
    await file.close()
  }
}

function unreadable(path: string, error: unknown): UsageError {
  const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
  return new UsageError([`cannot read ${path}${code}`])
}

const EXIT_REJECTED = 3

/** The exit code of an import. An incomplete import fails the command, so that a script notices it, unless `--lenient` is given. */
export function importExit(isComplete: boolean, { flags }: Pick<CommandInput, 'flags'>): number {
  return isComplete || flags.has('lenient') ? 0 : EXIT_REJECTED
}

/** `--separator` and `--encoding` of an import. AppError `invalid_value` with all issues. */
export function csvForm(input: CommandInput): CsvForm {
  const issues: Issue[] = []
  const form = readCsvForm(
    (name) => optionValue(input, name),
    'params',
    (issue) => issues.push(issue),
  )
  if (issues.length > 0) throw errorFromIssues(issues)
  return form
}
