import type { CsvForm } from '../../core/csv-form.ts'
import { errorFromIssues, type Issue } from '../../core/errors.ts'
import { readCsvForm } from '../presentation/csv-form.ts'
import { type CommandInput, optionValue } from './command.ts'

/** `--separator` and `--encoding` of a command that imports a file. AppError `invalid_value` with everything that is wrong with them. */
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
