import { withoutControls } from '../../core/text.ts'
import type { CommandDescription } from './command.ts'
import type { Io } from './io.ts'
import { paint } from './terminal-text.ts'

const EXIT_USAGE = 2

/** Prints the problems of a command line or configuration with a pointer to the help. Returns the exit code. */
export function refuse(problems: readonly string[], { name }: Pick<CommandDescription, 'name'>, { stderr }: Io): number {
  for (const problem of problems) stderr.write(`${paint('red', 'error:', stderr.color === true)} ${clean(problem)}\n`)
  stderr.write(`See plumbline ${[name, '--help'].join(' ').trim()}\n`)
  return EXIT_USAGE
}

// A problem may have several lines and may quote input.
function clean(problem: string): string {
  return problem.split('\n').map(withoutControls).join('\n')
}
