import type { CommandDescription } from './command.ts'
import type { Io } from './io.ts'
import { paint, withoutControls } from './layout.ts'

const EXIT_USAGE = 2

/** Says what is wrong with a command line or a configuration, and where help is; gives the exit code. */
export function refuse(problems: readonly string[], { name }: Pick<CommandDescription, 'name'>, { stderr }: Io): number {
  for (const problem of problems) stderr.write(`${paint('red', 'error:', stderr.color === true)} ${clean(problem)}\n`)
  stderr.write(`See plumbline ${[name, '--help'].join(' ').trim()}\n`)
  return EXIT_USAGE
}

// The problems of a configuration are lines; each may quote what was given.
function clean(problem: string): string {
  return problem.split('\n').map(withoutControls).join('\n')
}
