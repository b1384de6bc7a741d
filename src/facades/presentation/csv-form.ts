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
import { mustBe, oneOf } from './messages.ts'

/** What an import of a CSV file may be told of the file: `separator` and `encoding`. What is wrong is reported. */
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
