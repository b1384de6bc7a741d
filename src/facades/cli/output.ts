import { randomUUID } from 'node:crypto'
import { type AppError, errorFromIssues, type Issue, suggest } from '../../core/errors.ts'
import { isObject } from '../../core/json.ts'
import { jsonOnTerminal, shownOnTerminal, withoutControls } from '../../core/text.ts'
import type { Answer } from '../../engine/engine.ts'
import { boundedIssues, errorBody, MOST_ISSUES } from '../presentation/error-body.ts'
import { DAY, mustBe, oneOf, parameterAt, RANGE, whereInQuery } from '../presentation/parameters.ts'
import { jsonOf, renderCsv, renderJson } from '../presentation/render.ts'
import type { Renderable } from '../presentation/table.ts'
import { recordsText } from './answer-text.ts'
import { type CommandInput, DAY_WORDS, optionValue } from './command.ts'
import type { Io, Output } from './io.ts'
import { paint } from './terminal-text.ts'

/** The requested format, text by default. An unknown format becomes an issue, reported with the issues that the engine finds. */
export function chooseFormat(
  given: string | undefined,
  known: readonly Format[] = FORMATS,
): { readonly format: Format; readonly issues: readonly Issue[] } {
  const format = known.find((candidate) => candidate === (given === undefined || given === '' ? 'text' : given))
  if (format !== undefined) return { format, issues: [] }
  const message = mustBe('format', oneOf(known), given)
  return {
    format: 'text',
    issues: [
      {
        code: 'invalid_value',
        where: 'params.format',
        value: given,
        message,
        did_you_mean: suggest(given ?? '', known),
      },
    ],
  }
}

/** Renders an answer as text. `bold` styles headers; `width` is the width of the terminal in characters. */
export type AnswerText = (answer: Answer, bold: boolean, width?: number) => string

/** The renderers that differ between commands. */
interface AnswerForms {
  readonly text: AnswerText
  readonly workbook: (answer: Answer) => Promise<Uint8Array>
}

/** Writes an answer to stdout and its warnings to stderr. Without a terminal, JSON and CSV are the bytes of the HTTP API, JSON with a line feed. */
export async function writeAnswer(answer: Answer, format: Format, io: Io, { text, workbook }: AnswerForms): Promise<void> {
  if (format === 'xlsx') io.stdout.write(await workbook(answer))
  else if (format === 'csv') writeCsv(answer, io.stdout)
  else if (format === 'json') writeJson(jsonOf(answer), io.stdout)
  else io.stdout.write(text(answer, io.stdout.color === true, io.stdout.columns))
  writeWarnings(answer.meta, io)
}

/** Writes warnings to stderr, one per line. */
export function writeWarnings({ warnings }: Pick<Answer['meta'], 'warnings'>, { stderr }: Io): void {
  const label = paint('yellow', 'warning:', stderr.color === true)
  for (const warning of warnings) stderr.write(`${label} ${withoutControls(warning.message)}\n`)
}

/** Writes JSON with the bytes of the HTTP API and a line feed. On a terminal it is indented and escapes control characters. */
function writeJson(data: unknown, output: Output): void {
  const body = renderJson(data)
  output.write(output.isTTY === true ? jsonOnTerminal(`${JSON.stringify(JSON.parse(body), null, 2)}\n`) : `${body}\n`)
}

/** Writes CSV with the bytes of the HTTP API. On a terminal control characters are removed. */
function writeCsv(answer: Renderable, output: Output): void {
  const body = renderCsv(answer)
  output.write(output.isTTY === true ? shownOnTerminal(body) : body)
}

/** Context of an error that only programs need, such as the time to wait before a retry. */
const FOR_PROGRAMS = ['retry_after']

/**
 * Writes an error to stderr: as JSON, the body of the HTTP API; as text, with the option names of the command line. `names` is the command
 * that lists all names.
 */
export function writeError(error: AppError, format: Format, io: Io, maxIssues = MOST_ISSUES, names?: string): void {
  if (format === 'json') {
    const { body } = errorBody(error, randomUUID(), whereInQuery, maxIssues)
    const json = renderJson({ ...body, detail: error.operatorDetail })
    io.stderr.write(`${io.stderr.isTTY === true ? jsonOnTerminal(json) : json}\n`)
    return
  }
  const { issues = [] } = error
  const shown = boundedIssues(issues, maxIssues)
  const lines = shown.map(issueLine)
  const label = paint('red', 'error:', io.stderr.color === true)
  for (const line of lines.length > 0 ? lines : [error.operatorDetail]) io.stderr.write(`${label} ${withoutControls(line)}\n`)
  if (shown.some(isOfDays)) io.stderr.write(`  Also: ${DAY_WORDS}\n`)
  if (shown.length < issues.length) io.stderr.write(`  and ${issues.length - shown.length} more\n`)
  for (const [key, value] of Object.entries(error.context)) {
    if (isRecords(value) || FOR_PROGRAMS.includes(key) || isWall(key, value) || isIn(lines, value)) continue
    io.stderr.write(`  ${key}: ${withoutControls(contextText(value))}\n`)
  }
  if (names !== undefined && Object.entries(error.context).some(([key, value]) => isWall(key, value)))
    io.stderr.write(`  All names: plumbline ${names}\n`)
}

const MOST_NAMES = 8

// A long list of fields. The text names the command that lists them, and JSON has the list.
function isWall(key: string, value: unknown): boolean {
  return /^available_(dimensions|filters|attributes)$/.test(key) && Array.isArray(value) && value.length > MOST_NAMES
}

// True for a list of names that the message already has.
function isIn(lines: readonly string[], value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((name) => lines.some((line) => line.includes(String(name))))
}

// The message already contains these records; the lists are for programs.
function isRecords(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(isObject)
}

/** Whether an issue is about an option whose value is no day and no range of days. */
function isOfDays({ code, where, message }: Issue): boolean {
  const isOption = where.startsWith('params.') || where === 'spec.time_range' || where === 'body.since'
  return isOption && code === 'invalid_value' && [DAY, RANGE].some(({ words }) => message.includes(words))
}

function issueLine(issue: Issue): string {
  const near = issue.did_you_mean.length === 0 ? '' : ` Did you mean ${issue.did_you_mean.join(' or ')}?`
  return `${whereOnCommandLine(issue.where)}: ${issue.message}${near}`
}

function contextText(value: unknown): string {
  if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return value.length === 0 ? 'none' : value.join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Formats of a result. */
export const FORMATS = ['text', 'json', 'csv', 'xlsx'] as const

type Format = (typeof FORMATS)[number]

/** A result of a command that answers no metric, in three formats. Without `text`, the rows are shown as a table. */
interface RecordsResult {
  readonly json: unknown
  readonly rows: readonly Readonly<Record<string, unknown>>[]
  readonly columns: readonly string[]
  /** Columns of the text table; all if absent. */
  readonly text_columns?: readonly string[]
  readonly text?: string
}

const FORMS = ['text', 'json', 'csv'] as const

/** Writes a list in the requested format. AppError `invalid_value` for an unknown format. */
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

/** Writes one object in the requested format. */
export function writeRecord(record: object, text: string, input: CommandInput, io: Io): void {
  writeRecords({ json: record, rows: [{ ...record }], columns: Object.keys(record), text }, input, io)
}

/** The position of an issue (`where`) in terms of the command line: `--start`, `--filter`, `<metric>`. */
export function whereOnCommandLine(where: string): string {
  if (where.startsWith('body.definition')) return '--file'
  if (/^body\.(name|description)$/.test(where)) return `--${where.slice('body.'.length)}`
  if (/^body\.(note|[a-z]+_id)$/.test(where)) return `--${where.slice('body.'.length).replace('_', '-')}`
  if (where === 'body.state') return '--as'
  if (where === 'body.kind') return '<kind>'
  if (where === 'body.since') return '--since'
  if (where === 'body.type') return '<type>'
  if (where.startsWith('path.')) return `<${where.slice('path.'.length)}>`
  const option = parameterAt(where)?.option?.name ?? /^(?:params|spec)\.(.+)/.exec(where)?.[1]
  return option === undefined ? where : `--${option.replaceAll('_', '-')}`
}
