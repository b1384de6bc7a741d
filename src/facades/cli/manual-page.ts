import { allowedOptions, type CommandOutline, type Outline, optionIn } from './outline.ts'

/** The manual page of the command line in the markup of `man`: every command with its own options, then those of all. */
export function manualPage(outline: Outline, version: string): string {
  const { root, common } = outline
  return [
    `.TH PLUMBLINE 1 "" "plumbline ${plain(version)}" "User Commands"`,
    section('NAME', `plumbline \\- ${plain(root.description)}`),
    section('SYNOPSIS', '.B plumbline\n.I command\n[\\fIoptions\\fR]'),
    section('COMMANDS', ...commandsBelow(root).map((command) => commandText(command, outline))),
    section('OPTIONS OF EVERY COMMAND', ...common.flatMap((name) => optionText(name, outline))),
    section('EXIT STATUS', ...EXIT_CODES.map(([code, meaning]) => `.TP\n.B ${code}\n${plain(meaning)}`)),
    section(
      'FILES',
      '.TP\n.I plumbline.toml\nThe configuration: in the working directory, those above it or the home directory.',
    ),
    section(
      'ENVIRONMENT',
      '.TP\n.B NO_COLOR\\fR, \\fBFORCE_COLOR\nShow no styles; show them also where output is no terminal.',
      '.TP\n.BI PLUMBLINE_ section _ key\nA setting of the configuration.',
    ),
    '',
  ].join('\n')
}

const EXIT_CODES = [
  [0, 'Success.'],
  [1, 'Internal error.'],
  [2, 'A command or option that does not exist or is missing, or a configuration that cannot be used.'],
  [3, 'The request was refused, or an import of rates rejected rows.'],
  [4, 'The database cannot be reached, lags or ran out of time.'],
  [5, 'check or init found a failure.'],
] as const

function commandsBelow({ subCommands = [] }: CommandOutline): readonly CommandOutline[] {
  return subCommands.flatMap((command) => [...(command.runs ? [command] : []), ...commandsBelow(command)])
}

function commandText(command: CommandOutline, outline: Outline): string {
  const words = (command.positionals ?? []).map(({ name, optional }) => (optional === true ? `[${name}]` : `<${name}>`))
  const own = allowedOptions(outline, command).filter((name) => !outline.common.includes(name))
  return [
    `.SS ${plain([command.name, ...words].join(' '))}`,
    `${plain(command.description)}.`,
    ...own.flatMap((name) => optionText(name, outline)),
    ...(command.examples === undefined ? [] : ['.PP', 'For example:', '.nf', ...command.examples.map(exampleText), '.fi']),
  ].join('\n')
}

function exampleText(line: string): string {
  return `.RS\nplumbline ${plain(line)}\n.RE`
}

function optionText(name: Outline['common'][number], outline: Outline): string[] {
  const def = optionIn(outline, name)
  if (def === undefined) return []
  const value = def.type === 'string' ? ` \\fI${plain(def.valueHint ?? 'value')}\\fR` : ''
  const short = def.alias === undefined ? '' : `\\fB\\-${def.alias}\\fR, `
  return [`.TP\n${short}\\fB\\-\\-${plain(name)}\\fR${value}\n${plain(def.description ?? '')}.`]
}

function section(title: string, ...parts: readonly string[]): string {
  return [`.SH ${title}`, ...parts].join('\n')
}

// A backslash, a hyphen and a point or quote at the beginning of a line mean something to the formatter.
function plain(text: string): string {
  const escaped = text.replaceAll('\\', '\\e').replaceAll('-', '\\-').replaceAll('’', '\\(cq').replaceAll('…', '...')
  return escaped.replace(/^([.'])/, '\\&$1')
}
