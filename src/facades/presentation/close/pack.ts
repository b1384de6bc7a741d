import { AppError } from '../../../core/errors.ts'
import type { Answer, AskOptions, DefinitionsAnswer, Engine } from '../../../engine/engine.ts'
import type { RawRequest } from '../raw-request.ts'
import { renderCsv } from '../render.ts'
import { recordsOf, rowOf } from '../table.ts'
import { type SheetOf, writeSheets } from '../workbook/sheets.ts'
import { checkPack, type PackCheck } from './checks.ts'
import { pivoted } from './pivots.ts'
import { askOpening, type ClosedMonth, PACK_OPTIONS, STATEMENTS, withLastClose } from './statements.ts'

/** The pack of a month: its files by name, and whether every identity holds. */
export interface Pack {
  readonly files: ReadonlyMap<string, string | Uint8Array>
  readonly checks: readonly PackCheck[]
  readonly ok: boolean
}

/** Checks of `verify` that a pack runs over its month. They have the options of the configuration. */
const VERIFIED = ['books_roll_forward', 'books_balance', 'books_add_up', 'books_by_record']

/** Asks all statements of a month and writes them as CSV, as one workbook, and as a page that says what they are. The same data gives the same bytes. */
export async function closePack(
  engine: Engine,
  month: ClosedMonth,
  asked: RawRequest['params'],
  options: AskOptions,
  progress: (title: string) => void,
): Promise<Pack> {
  const set = await engine.definitions(asked['definitions'])
  const given = withLastClose(asked, month, set.options.find(({ key }) => key === 'ledger.close_days')?.value)
  const answers = new Map<string, Answer>()
  const left: string[] = []
  for (const { file, title, lacks = [], ask } of STATEMENTS) {
    progress(title)
    const answer = await ask(engine, month, given, options).catch((error: unknown) => {
      if (error instanceof AppError && lacks.includes(error.code)) return error.message
      throw error
    })
    if (typeof answer === 'string') left.push(`${file}.csv: ${answer}`)
    else answers.set(file, answer)
  }
  const opening = await askOpening(engine, month, given, options)
  progress('Checks')
  const report = await engine.verification.run({ start: month.start, end: month.end, check: VERIFIED }, options)
  const verified = report.checks.map(({ name, ok, is_complete, message }) => ({ name, ok: ok === true && is_complete, message }))
  const checks = [...checkPack(answers, opening), ...verified]
  const tables = STATEMENTS.flatMap(({ file, title }) => {
    const answer = answers.get(file)
    return answer === undefined ? [] : [{ file, title, answer: pivoted(file, answer, answers) }]
  })
  const page = pageOf(month, optionsInForce(set, given), { tables, left }, checks)
  const sheets = tables.map(
    ({ file, answer }): SheetOf => ({ name: file, answer, table: recordsOf(answer).map(rowOf(answer.columns)) }),
  )
  return {
    files: new Map<string, string | Uint8Array>([
      ['README.md', page],
      ...tables.map(({ file, answer }) => [`${file}.csv`, renderCsv(answer)] as const),
      // The day of the workbook is that of the month, so that equal packs have equal bytes.
      [`ledger-${month.name}.xlsx`, await writeSheets(sheets, new Date(`${month.end}T00:00:00Z`))],
    ]),
    checks,
    ok: checks.every(({ ok }) => ok),
  }
}

interface PackTable {
  readonly file: string
  readonly title: string
  readonly answer: Answer
}

/** Each option of the ledger with its value: that of the request, else that of its definition set (D98). Then what else the request states. */
function optionsInForce({ options, name }: DefinitionsAnswer, given: RawRequest['params']): readonly string[] {
  const inForce = options
    .filter(({ key }) => PACK_OPTIONS.includes(key) || key === 'ledger.close_days')
    .map(({ key, value }) => [key, given[key] ?? value] as const)
  const others = Object.entries(given).filter(([key]) => key !== 'definitions' && !PACK_OPTIONS.includes(key))
  return [...inForce, ['definitions', name] as const, ...others].map(([key, value]) => `${key}=${String(value)}`)
}

function pageOf(
  month: ClosedMonth,
  options: readonly string[],
  { tables, left }: { readonly tables: readonly PackTable[]; readonly left: readonly string[] },
  checks: readonly PackCheck[],
): string {
  const { data_through, definitions, base_currency } = tables[0]?.answer.meta ?? {}
  const warnings = new Set(tables.flatMap(({ answer }) => answer.meta.warnings.map(({ message }) => message)))
  const lines = [
    `# The books of ${month.name}`,
    '',
    `- Days: ${month.start} to ${month.end}`,
    // The day, because a later second of the same day gives the same pack.
    `- Data complete up to: ${data_through?.slice(0, 10) ?? 'not known'}`,
    `- Base currency: ${base_currency ?? ''}; amounts are in units of the currency`,
    `- Definitions: ${definitions ?? ''}`,
    `- Options: ${options.join(', ')}`,
    '',
    '## Checks',
    '',
    ...checks.map(({ name, ok, message }) => `- ${ok ? 'ok' : 'FAILED'}: ${name}: ${message}`),
    '',
    '## Files',
    '',
    `- ledger-${month.name}.xlsx: all tables`,
    ...tables.map(({ file, title, answer }) => `- ${file}.csv: ${title} (${recordsOf(answer).length} rows)`),
    ...(left.length === 0 ? [] : ['', '## Left out', '', ...left.map((one) => `- ${one}`)]),
    ...(warnings.size === 0 ? [] : ['', '## Warnings', '', ...[...warnings].map((message) => `- ${message}`)]),
  ]
  return `${lines.join('\n')}\n`
}
