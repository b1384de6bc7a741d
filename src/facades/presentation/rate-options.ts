import type { Issue } from '../../core/errors.ts'
import { isDay } from '../../core/periods.ts'
import type { RateImportOptions } from '../../ports/fx-rate-store.ts'
import { readCsvForm } from './csv-form.ts'
import { mustBe } from './messages.ts'

/** What an import of rates may be told beside its file, by name: `to` in any case, `since`, and how the file is written. What is wrong is reported. */
export function readRateOptions(
  given: (name: 'to' | 'since' | 'separator' | 'encoding') => string | undefined,
  place: 'params' | 'body',
  report: (issue: Issue) => void,
): RateImportOptions {
  const into = given('to')?.toUpperCase()
  const since = given('since')
  const refuse = (name: string, what: string, value: string) =>
    report({
      code: 'invalid_value',
      where: `${place}.${name}`,
      value,
      message: mustBe(name, what, value),
      did_you_mean: [],
    })
  if (into !== undefined && !/^[A-Z]{3}$/.test(into)) refuse('to', 'a currency code of three letters', into)
  if (since !== undefined && !isDay(since)) refuse('since', 'a date (YYYY-MM-DD)', since)
  return { into, since, ...readCsvForm(given, place, report) }
}
