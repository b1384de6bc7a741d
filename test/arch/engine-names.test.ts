import { expect, it } from 'vitest'
import { sourceFiles } from './source-tree.ts'

/** Words of one billing engine: its name, its tables, its parameters. */
const WORDS = /kill ?bill|kbtsf|\bkb_|record_id|usage_invoices|\blago|fixed_charge|organization_id|\bstripe_?/i

/** Places that may name it: the list of connectors, defaults and examples of the configuration, the sample data and answers from it. */
const NAMED = [
  'src/app/built-in.ts',
  // The evidence of findings and of numbers names rows of the billing database by table and `record_id`.
  'src/connector-kit/evidence.ts',
  'src/evidence/rows.ts',
  'src/records/billing-health/evidence.ts',
  'src/records/billing-health/rows.ts',
  // A zone is named after the city of Lagos.
  'src/core/zone-data.ts',
  'src/app/demo/',
  'src/index.ts',
]

it('the product knows no billing engine: facts about one are in its connector', () => {
  const files = [...sourceFiles('src', ['.ts']), ...sourceFiles('sql', ['.sql'])]
  const offenders = files
    .filter(({ path }) => !NAMED.some((allowed) => path.startsWith(allowed)))
    .flatMap(({ path, text }) => {
      const line = text.split('\n').findIndex((each) => WORDS.test(each))
      return line < 0 ? [] : [`${path}:${line + 1}`]
    })
  expect(offenders).toEqual([])
})
