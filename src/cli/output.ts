import { randomUUID } from 'node:crypto'
import { type AppError, type Issue, suggest } from '../core/errors.ts'
import type { Answer } from '../engine/engine.ts'
import { errorBody } from '../engine/facade/error-body.ts'
import { renderCsv, renderJson } from '../engine/facade/render.ts'
import { whereInQuery } from '../engine/facade/where.ts'
import type { Io, Output } from './io.ts'
import { withoutControls } from './table.ts'
import { whereOnCommandLine } from './where.ts'

export type Format = 'text' | 'json' | 'csv'

const FORMATS = ['text', 'json', 'csv'] as const

/** The format asked for, text by default; an unknown one is an issue beside those that the engine finds. */
export function chooseFormat(given: string | undefined): { readonly format: Format; readonly issues: readonly Issue[] } {
  const format = FORMATS.find((candidate) => candidate === (given === undefined || given === '' ? 'text' : given))
  if (format !== undefined) return { format, issues: [] }
  const message = 'The format is text, json or csv.'
  return {
    format: 'text',
    issues: [
      { code: 'invalid_value', where: 'params.format', value: given, message, did_you_mean: suggest(given ?? '', FORMATS) },
    ],
  }
}

/** How an answer reads to people; `bold` marks headers where a terminal shows it. */
export type AnswerText = (answer: Answer, bold: boolean) => string

/** Writes an answer to stdout, its warnings to stderr. JSON and CSV are byte for byte what the HTTP service sends. */
export function writeAnswer(answer: Answer, format: Format, io: Io, text: AnswerText): void {
  if (format === 'csv') io.stdout.write(renderCsv(answer))
  else if (format === 'json') writeJson(answer.data, io.stdout)
  else io.stdout.write(text(answer, io.stdout.isTTY === true))
  writeWarnings(answer.meta, io)
}

/** Writes warnings to stderr, one a line. */
export function writeWarnings({ warnings }: Pick<Answer['meta'], 'warnings'>, { stderr }: Io): void {
  for (const warning of warnings) stderr.write(`warning: ${withoutControls(warning.message)}\n`)
}

/** A JSON body; a line feed follows only where a person's prompt would stick to it. */
export function writeJson(data: unknown, output: Output): void {
  output.write(output.isTTY === true ? `${renderJson(data)}\n` : renderJson(data))
}

/** Writes a refused or failed request to stderr: as JSON the body of the HTTP service, as text in the words of the command line. */
export function writeError(error: AppError, format: Format, io: Io): void {
  if (format === 'json') {
    io.stderr.write(`${renderJson(errorBody(error, randomUUID(), whereInQuery).body)}\n`)
    return
  }
  const lines = (error.issues ?? []).map(issueLine)
  for (const line of lines.length > 0 ? lines : [error.message]) io.stderr.write(`error: ${withoutControls(line)}\n`)
  for (const [key, value] of Object.entries(error.context)) io.stderr.write(`  ${key}: ${withoutControls(contextText(value))}\n`)
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
