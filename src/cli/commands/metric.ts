import { ask } from '../../engine/facade/ask.ts'
import { rawRequest } from '../../engine/facade/raw-request.ts'
import type { Command, CommandInput, Invocation } from '../command.ts'
import { optionValue } from '../command.ts'
import { type OptionName, QUERY_OPTIONS } from '../options.ts'
import { chooseFormat, writeAnswer } from '../output.ts'

/** A command that is one engine query. */
export interface MetricCommand {
  readonly name: string
  readonly description: string
  readonly metric: string
  /** Fixed by the command; absent where the engine's default is meant. */
  readonly query_type?: string
  readonly options: readonly OptionName[]
  readonly subCommands?: readonly Command[]
}

// What an option is called on the wire, where it is not its own name.
const WIRE_NAMES: Partial<Record<OptionName, string>> = { dimension: 'dimensions' }
const NOT_FOR_THE_ENGINE: readonly OptionName[] = ['format', 'config']

/** Declares a command that asks the engine one question and prints the answer. */
export function metricCommand(definition: MetricCommand): Command {
  const { name, description, subCommands } = definition
  return {
    name,
    description,
    options: [...definition.options, ...QUERY_OPTIONS],
    ...(subCommands === undefined ? {} : { subCommands }),
    run: (invocation) => answer(definition, invocation),
  }
}

async function answer(definition: MetricCommand, { input, io, product }: Invocation): Promise<number> {
  const raw = rawRequest(pairsOf(input))
  const { format, issues } = chooseFormat(optionValue(input, 'format'))
  const opened = await product.open({ config: optionValue(input, 'config') })
  try {
    const fixed = definition.query_type === undefined ? {} : { query_type: definition.query_type }
    const request = { params: { ...raw.params, ...fixed }, spec: raw.spec, issues: [...raw.issues, ...issues] }
    const found = await ask(opened.engine, definition.metric, request, { signal: io.stop })
    writeAnswer(found, format, io)
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
