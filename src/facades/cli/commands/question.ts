import { shownOnTerminal } from '../../../core/text.ts'
import type { Answer, AskOptions, Engine } from '../../../engine/engine.ts'
import { askOperation, type Operation } from '../../presentation/ask.ts'
import { explanationText } from '../../presentation/explanation-text.ts'
import { explainedOnlyInJson } from '../../presentation/parameters.ts'
import { type RawRequest, rawRequest } from '../../presentation/raw-request.ts'
import { renderXlsx } from '../../presentation/workbook/render.ts'
import { answerText } from '../answer-text.ts'
import { type CommandInput, type Invocation, optionValue, UsageError } from '../command.ts'
import { withDayWords } from '../day-words.ts'
import type { Io } from '../io.ts'
import { FLAG_OPTIONS, parameterOf } from '../options.ts'
import { originText } from '../origin-text.ts'
import { type AnswerText, chooseFormat, writeAnswer } from '../output.ts'
import { type AddedDays, addedDays, type CommandDays } from '../usual-days.ts'

/** The engine operation of a command, and how its answer is shown as text. */
export interface Question {
  readonly operation: (engine: Engine) => Operation
  /** Name of the command. */
  readonly command: string
  /** The metric whose definition a workbook contains; absent if the answer is no metric. */
  readonly metric?: string
  /** True if the command line is about one month, which `period` names. */
  readonly isMonth?: boolean
  /** The dates of the command; absent if it adds none. */
  readonly days?: (input: CommandInput) => CommandDays
  /** Renders the answer as text; a table if absent. */
  readonly text?: AnswerText
}

/** Asks the engine one question and prints the answer. */
export async function answerQuestion(question: Question, { input: written, io, product }: Invocation): Promise<number> {
  const { format, issues } = chooseFormat(optionValue(written, 'format'))
  if (format === 'xlsx' && io.stdout.isTTY === true) {
    throw new UsageError(['a terminal cannot show a workbook; write it to a file: … --format xlsx > answer.xlsx'])
  }
  const opened = await product.open({ config: optionValue(written, 'config') })
  try {
    // Lists such as renewals are about days to come, too.
    const untilToday = question.metric !== undefined && !written.flags.has('forecast')
    const input = withDayWords(written, opened.today, untilToday, question.isMonth)
    const added = question.days && addedDays(input, question.days(input), opened.today)
    const raw = rawRequest([...pairsOf(input), ...explainPairs(question, input), ...(added?.params ?? [])])
    const found = [...raw.issues, ...issues, ...explainedOnlyInJson(raw.params, format)]
    const request = { ...(format === 'text' ? inCents(raw) : raw), issues: found }
    const answer = await askOperation(question.operation(opened.engine), request, { signal: io.stop, ...explained(input, io) })
    if (added !== undefined) writeAddedDays(added, answer, io)
    await writeAnswer(answer, format, io, {
      text: question.text ?? answerText,
      workbook: (found) =>
        renderXlsx(
          found,
          { call: callOf(question.command, input), request },
          question.metric === undefined ? undefined : opened.engine.metric(question.metric),
        ),
    })
    if (format === 'text' && answer.explanation !== undefined) {
      const text = explanationText(answer.explanation)
      io.stderr.write(io.stderr.isTTY === true ? shownOnTerminal(text) : text)
    }
    return 0
  } finally {
    await opened.close()
  }
}

// The answers of metrics have statements to show. Other answers only say where they were read.
function explainPairs({ metric }: Question, { flags }: CommandInput): readonly [string, string][] {
  return metric !== undefined && flags.has('explain') ? [['explain', 'true']] : []
}

/**
 * Writes a line to stderr before the first answer straight from the database that may take too long. With `--explain`, also a line that says where an
 * answer was read.
 */
export function explained({ flags }: CommandInput, { stderr }: Io): Pick<AskOptions, 'onOrigin' | 'onStraight'> {
  let isTold = false
  const onStraight = (text: string) => {
    if (!isTold) stderr.write(`${text}\n`)
    isTold = true
  }
  return flags.has('explain') ? { onStraight, onOrigin: (origin) => stderr.write(`${originText(origin)}\n`) } : { onStraight }
}

function writeAddedDays({ words, option }: AddedDays, { meta: { days } }: Answer, { stderr }: Io): void {
  if (days !== undefined) stderr.write(`Range: ${days.start} to ${days.end} (${words}); change it with --${option}\n`)
}

// Text always shows units, so it asks for cents.
function inCents(raw: RawRequest): RawRequest {
  const { money, ...params } = raw.params
  return money === 'units' ? { ...raw, params } : raw
}

// Quoted, so that it can be pasted into a shell.
function callOf(command: string, { values, flags }: CommandInput): string {
  const options = [...values].flatMap(([name, given]) => given.map((value) => `--${name} ${quoted(value)}`))
  return ['plumbline', command, ...options, ...[...flags].map((name) => `--${name}`)].join(' ')
}

function quoted(value: string): string {
  return /^[\w.,:=@%+/-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`
}

/** The options as parameters of a request. */
export function pairsOf(input: CommandInput): [string, string][] {
  const written = [...input.values].flatMap(([option, values]) => {
    const parameter = parameterOf(option)
    return parameter === undefined ? [] : values.map((value): [string, string] => [parameter, value])
  })
  const flags = FLAG_OPTIONS.filter((name) => input.flags.has(name)).map((name): [string, string] => [name, 'true'])
  return [...written, ...namedRanges(input), ...flags]
}

const UNITS: Readonly<Record<string, string>> = {
  d: 'days',
  w: 'weeks',
  m: 'months',
  q: 'quarters',
  y: 'years',
}

// `--last 12m` is short for `--range last-12-months`. The engine validates the range.
function namedRanges(input: CommandInput): [string, string][] {
  const last = optionValue(input, 'last')?.replace(/^(\d+)([dwmqy])$/, (_, count, unit) => `${count}-${UNITS[unit]}`)
  const names = [...(last === undefined ? [] : [`last-${last}`]), ...(input.flags.has('ytd') ? ['ytd'] : [])]
  return names.map((name) => ['range', name])
}
