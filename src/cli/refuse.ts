import type { CommandDescription } from './command.ts'
import type { Io } from './io.ts'
import { paint } from './paint.ts'

const EXIT_USAGE = 2

/** Says what is wrong with a command line or a configuration, and where help is; gives the exit code. */
export function refuse(problems: readonly string[], { name }: Pick<CommandDescription, 'name'>, { stderr }: Io): number {
  for (const problem of problems) stderr.write(`${paint('red', 'error:', stderr.color === true)} ${problem}\n`)
  stderr.write(`See plumbline ${[name, '--help'].join(' ').trim()}\n`)
  return EXIT_USAGE
}
