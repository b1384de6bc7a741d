import { guardedForTerminal } from '../../core/text.ts'
import { firstWord, readCommandLine } from './args.ts'
import type { Outline } from './command.ts'
import { candidateLines, isCompletion } from './completion.ts'
import { helpText } from './help.ts'
import type { Io, Output } from './io.ts'
import type { Product } from './product.ts'
import { refuse } from './refuse.ts'

/**
 * Runs one command line (without node and script) and resolves to the exit code of http-api.md 13. Version, help, completion and refusals
 * need only the outline. The code of the commands is loaded when a command runs.
 */
export async function runCli(argv: readonly string[], given: Io, product: Product): Promise<number> {
  const io = { ...given, stdout: guarded(given.stdout), stderr: guarded(given.stderr) }
  const outline = await product.outline()
  if (isCompletion(argv)) {
    io.stdout.write(candidateLines(argv, outline))
    return 0
  }
  const line = readCommandLine(withoutShortcut(argv, outline), outline)
  switch (line.kind) {
    case 'version':
      io.stdout.write(`${product.version}\n`)
      return 0
    case 'help':
      io.stdout.write(await helpText(line.command, outline, io.stdout))
      return 0
    case 'refused':
      return refuse(line.problems, line.command, io)
    case 'run': {
      const { runCommand } = await import('./run.ts')
      return runCommand(line.command.name, line.input, io, product)
    }
  }
}

/** An output that removes control sequences in data before they reach a terminal. A file or a pipe gets every byte. */
function guarded(output: Output): Output {
  if (output.isTTY !== true) return output
  return {
    ...output,
    write: (content) => output.write(typeof content === 'string' ? guardedForTerminal(content) : content),
  }
}

/** An address without a command is short for `init --dry-run`, which refuses addresses of other servers and quotes none. */
function withoutShortcut(argv: readonly string[], outline: Outline): readonly string[] {
  const word = firstWord(argv, outline) ?? ''
  return /^[a-z][a-z\d+.-]*:\/\//i.test(word) ? ['init', '--dry-run', ...argv] : argv
}
