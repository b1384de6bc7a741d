import { errorFromIssues, type Issue } from '../../core/errors.ts'
import type { RateImportOptions } from '../../engine/engine.ts'
import { readRateOptions } from '../presentation/rate-options.ts'
import { type CommandInput, optionValue } from './command.ts'

/** What a command that stores rates may be told beside its file. AppError `invalid_value` with everything that is wrong with it. */
export function rateOptions(input: CommandInput): RateImportOptions {
  const issues: Issue[] = []
  const options = readRateOptions(
    (name) => optionValue(input, name),
    'params',
    (issue) => issues.push(issue),
  )
  if (issues.length > 0) throw errorFromIssues(issues)
  return options
}
