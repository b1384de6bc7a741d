import {
  CSV_ENCODINGS,
  type CsvEncoding,
  type CsvForm,
  type CsvSeparator,
  encodingNamed,
  SEPARATOR_NAMES,
  separatorNamed,
} from '../../core/csv-form.ts'
import { type Issue, suggest } from '../../core/errors.ts'
import { isDay } from '../../core/periods.ts'
import type { RateImportOptions } from '../../engine/engine.ts'
import { mustBe, oneOf } from './parameters.ts'

/** Reads `separator` and `encoding` of a CSV import. `report` receives the issues. */
export function readCsvForm(
  given: (name: 'separator' | 'encoding') => string | undefined,
  place: 'params' | 'body',
  report: (issue: Issue) => void,
): CsvForm {
  const read = <T extends CsvSeparator | CsvEncoding>(
    name: 'separator' | 'encoding',
    known: readonly string[],
    named: (text: string) => T | undefined,
  ): T | undefined => {
    const text = given(name)
    const found = text === undefined ? undefined : named(text)
    if (text === undefined || found !== undefined) return found
    const message = mustBe(name, oneOf(known), text)
    report({ code: 'invalid_value', where: `${place}.${name}`, value: text, message, did_you_mean: suggest(text, known) })
    return undefined
  }
  return {
    separator: read('separator', SEPARATOR_NAMES, separatorNamed),
    encoding: read('encoding', CSV_ENCODINGS, encodingNamed),
  }
}

/** Reads the options of a rate import: `to` in any case, `since`, and the CSV format. `report` receives the issues. */
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
