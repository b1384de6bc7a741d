import { AppError, ConfigurationError } from '../core/errors.ts'
import { readCommandLine } from './args.ts'
import { type Command, type CommandInput, optionValue, UsageError } from './command.ts'
import { COMMANDS } from './commands/index.ts'
import { helpText } from './help.ts'
import type { Io } from './io.ts'
import { chooseFormat, writeError } from './output.ts'
import type { Product } from './product.ts'

const EXIT_INTERNAL = 1
const EXIT_USAGE = 2
const EXIT_INTERRUPTED = 130

/** Runs one command line (without node and script) and resolves to the exit code of http-api.md 13. Never rejects. */
export async function runCli(argv: readonly string[], io: Io, product: Product): Promise<number> {
  const line = readCommandLine(argv, COMMANDS)
  if (line.kind === 'version') {
    io.stdout.write(`${product.version}\n`)
    return 0
  }
  if (line.kind === 'help') {
    io.stdout.write(await helpText(line.command, io.stdout))
    return 0
  }
  if (line.kind === 'refused') return refuse(line.problems, line.command, io)
  return runCommand(line.command, line.input, io, product)
}

async function runCommand(command: Command, input: CommandInput, io: Io, product: Product): Promise<number> {
  try {
    return (await command.run?.({ input, io, product })) ?? EXIT_USAGE
  } catch (error) {
    if (error instanceof UsageError || error instanceof ConfigurationError) return refuse(error.problems, command, io)
    if (io.stop.aborted) return EXIT_INTERRUPTED
    if (error instanceof AppError) {
      writeError(error, chooseFormat(optionValue(input, 'format')).format, io)
      return error.exit
    }
    io.stderr.write(`error: internal error\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
    return EXIT_INTERNAL
  }
}

async function refuse(problems: readonly string[], command: Command, io: Io): Promise<number> {
  for (const problem of problems) io.stderr.write(`error: ${problem}\n`)
  io.stderr.write(`See plumbline ${[command.name, '--help'].join(' ').trim()}\n`)
  return EXIT_USAGE
}
