import { AppError, ConfigurationError } from '../../core/errors.ts'
import { dayOf } from '../../core/periods.ts'
import { type Command, type CommandInput, optionValue, UsageError, wordOf } from './command.ts'
import { MANUAL_COMMANDS } from './commands/manual.ts'
import { withDayWords } from './day-words.ts'
import type { Io } from './io.ts'
import type { OpenOptions, Product } from './product.ts'
import { showElapsed } from './progress.ts'
import { refuse } from './refuse.ts'
import { openResult, withFormat } from './result-file.ts'

const EXIT_INTERNAL = 1
const EXIT_USAGE = 2
const EXIT_INTERRUPTED = 130

/** Runs the command with this full name and resolves to its exit code. Never rejects. */
export async function runCommand(name: string, given: CommandInput, io: Io, product: Product): Promise<number> {
  const command = await commandNamed(name, product)
  let input = given
  let maxIssues: number | undefined
  const open = async (options: OpenOptions) => {
    const opened = await product.open(options)
    maxIssues = opened.maxIssues
    return opened
  }
  try {
    input = withFormat(given, command.formats)
    const chosenInput = ofMachine(input)
    const result = await openResult(optionValue(input, 'output'), io)
    const chosen = input.flags.has('demo') ? onSampleData({ ...product, open }, input) : { ...product, open }
    const run = (watched: Io) =>
      command.run?.({ input: chosenInput, io: watched, product: chosen }) ?? Promise.resolve(EXIT_USAGE)
    // Services run until they are stopped, so they show no elapsed time.
    const code = await (command.excluded === undefined
      ? showElapsed(result.io, run, optionValue(input, 'format') === 'json')
      : run(result.io))
    await result.save()
    return code
  } catch (error) {
    if (error instanceof UsageError || error instanceof ConfigurationError) return refuse(error.problems, command, io)
    if (io.stop.aborted) return EXIT_INTERRUPTED
    if (error instanceof AppError) {
      const { chooseFormat, writeError } = await import('./output.ts')
      writeError(error, chooseFormat(optionValue(input, 'format')).format, io, maxIssues, command.names)
      return error.exit
    }
    io.stderr.write(`error: internal error\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
    return EXIT_INTERNAL
  }
}

/** The options of the command line’s own, `--since` and `--expires-at`, with days of this machine in UTC. The engine’s clock decides about all others. */
function ofMachine(input: CommandInput): CommandInput {
  const own = (['since', 'expires-at'] as const).filter((name) => input.values.has(name))
  if (own.length === 0) return input
  const days = withDayWords(input, dayOf(new Date()), false)
  return {
    ...input,
    values: new Map(
      [...input.values].map(([name, given]) => [
        name,
        own.some((one) => one === name) ? (days.values.get(name) ?? given) : given,
      ]),
    ),
  }
}

async function commandNamed(name: string, product: Product): Promise<Command> {
  const known = MANUAL_COMMANDS.find((command) => command.name === name)
  if (known !== undefined) return known
  const { commandTree } = await import('./commands/index.ts')
  const root = commandTree(await product.metrics())
  const words = name === '' ? [] : name.split(' ')
  return words.reduce<Command>((command, word) => command.subCommands?.find((sub) => wordOf(sub) === word) ?? command, root)
}

/** The product on a copy of the sample data, for `--demo`. The copy is deleted with the command. UsageError together with `--config`. */
function onSampleData(product: Product, input: CommandInput): Product {
  if (input.values.has('config')) throw new UsageError(['--demo uses no configuration: leave out --config or --demo'])
  const sample = optionValue(input, 'demo')
  return {
    ...product,
    open: (options) => product.openDemo({ ...options, sample }),
    openStore: (options) => product.openDemoStore({ ...options, sample }),
    init: async () => {
      throw new UsageError(['the demo needs no configuration: leave out --demo to write one for your database'])
    },
  }
}
