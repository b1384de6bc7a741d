import { errorFromIssues, type Issue } from '../core/errors.ts'
import { isDay } from '../core/periods.ts'
import { mustBe } from '../engine/facade/messages.ts'
import { type CommandInput, optionValue } from './command.ts'
import type { RateOptions } from './product.ts'

/** `--to` and `--since` of a command that stores rates. AppError `invalid_value` with everything that is wrong with them. */
export function rateOptions(input: CommandInput): RateOptions {
  const to = optionValue(input, 'to')?.toUpperCase()
  const since = optionValue(input, 'since')
  const issues = [
    ...(to === undefined || /^[A-Z]{3}$/.test(to) ? [] : [issue('to', 'a currency code of three letters', to)]),
    ...(since === undefined || isDay(since) ? [] : [issue('since', 'a date (YYYY-MM-DD)', since)]),
  ]
  if (issues.length > 0) throw errorFromIssues(issues)
  return { to, since }
}

function issue(name: string, what: string, value: string): Issue {
  return {
    code: 'invalid_value',
    where: `params.${name}`,
    value,
    message: mustBe(name, what, value),
    did_you_mean: [],
  }
}
