import { type Command, UsageError } from '../command.ts'
import { COMPLETION_SCRIPTS } from '../completion.ts'

const SHELLS = Object.keys(COMPLETION_SCRIPTS)

const helpCommand: Command = {
  name: 'help',
  description: 'Show help for all commands or for one',
  options: [],
  positionals: [
    {
      name: 'command',
      description: 'Name of a command, such as mrr breakdown',
      optional: true,
      many: true,
    },
  ],
  examples: ['help', 'help mrr breakdown'],
  // `readCommandLine` turns this command into a help text.
  run: async () => 0,
}

const completionCommand: Command = {
  name: 'completion',
  description: 'Print a shell script that completes commands, options, dimensions and metrics',
  options: [],
  positionals: [{ name: 'shell', description: SHELLS.join(', '), values: SHELLS }],
  examples: ['completion bash', 'completion zsh', 'completion fish'],
  run: async ({ input: { positionals }, io }) => {
    const [shell = ''] = positionals
    const script = Object.hasOwn(COMPLETION_SCRIPTS, shell) ? COMPLETION_SCRIPTS[shell] : undefined
    if (script === undefined) throw new UsageError([`there is no completion for "${shell}"; available: ${SHELLS.join(', ')}`])
    io.stdout.write(script)
    return 0
  },
}

/** Commands about the command line itself. */
export const MANUAL_COMMANDS: readonly Command[] = [helpCommand, completionCommand]
