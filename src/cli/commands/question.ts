import type { Engine } from '../../engine/engine.ts'
import { askOperation, type Operation } from '../../engine/facade/ask.ts'
import { rawRequest } from '../../engine/facade/raw-request.ts'
import { type CommandInput, type Invocation, optionValue } from '../command.ts'
import type { OptionName } from '../options.ts'
import { type AnswerText, chooseFormat, writeAnswer } from '../output.ts'
import { answerText } from '../text.ts'

/** What a command asks of the engine, and how people read the answer. */
export interface Question {
  readonly operation: (engine: Engine) => Operation
  /** A table of the answer, if absent. */
  readonly text?: AnswerText
}

// What an option is called on the wire, where it is not its own name.
const WIRE_NAMES: Partial<Record<OptionName, string>> = {
  dimension: 'dimensions',
  'query-type': 'query_type',
  compare: 'compare_segments',
}
const NOT_FOR_THE_ENGINE: readonly OptionName[] = ['format', 'config']

/** Asks the engine one question and prints the answer. */
export async function answerQuestion(question: Question, { input, io, product }: Invocation): Promise<number> {
  const raw = rawRequest(pairsOf(input))
  const { format, issues } = chooseFormat(optionValue(input, 'format'))
  const opened = await product.open({ config: optionValue(input, 'config') })
  try {
    const request = { ...raw, issues: [...raw.issues, ...issues] }
    const answer = await askOperation(question.operation(opened.engine), request, { signal: io.stop })
    writeAnswer(answer, format, io, question.text ?? answerText)
    return 0
  } finally {
    await opened.close()
  }
}

function pairsOf(input: CommandInput): [string, string][] {
  return [...input.values]
    .filter(([name]) => !NOT_FOR_THE_ENGINE.includes(name))
    .flatMap(([name, values]) => values.map((value): [string, string] => [WIRE_NAMES[name] ?? name, value]))
}
