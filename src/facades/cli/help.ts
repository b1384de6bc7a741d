import { stripVTControlCharacters } from 'node:util'
import { type ArgsDef, type CommandDef, renderUsage } from 'citty'
import { allowedOptions, type CommandOutline, DAY_WORDS, type Outline, optionIn, optionOfCommand, wordOf } from './command.ts'
import type { Output } from './io.ts'
import type { OptionDef, OptionName } from './options.ts'
import { paint, wrapped } from './terminal-text.ts'

/** The help text of a command: usage, dimensions, filters and examples. Plain if the stream shows no styles. */
export async function helpText(command: CommandOutline, outline: Outline, { color = false }: Output): Promise<string> {
  if (command === outline.root) return rootText(outline, color)
  const usage = (await renderUsage(toCitty(command, outline))).replaceAll(/ +$/gm, '')
  const sections = [
    color ? usage : stripVTControlCharacters(usage),
    ...(command.dates === undefined ? [] : [[paint('bold', 'DATES', color), '', ...wrapped(command.dates)].join('\n')]),
    ...namesSection('DIMENSIONS', command.dimensions, color),
    ...namesSection('FILTERS', filtersAlone(command), color),
    ...examplesSection(command, color),
  ]
  return `${sections.map((text) => text.trimEnd()).join('\n\n')}\n`
}

/** The help without a command: examples first, then the commands in groups. */
function rootText({ root, common, options }: Outline, color: boolean): string {
  const title = (text: string) => paint('bold', text, color)
  const { examples = [], example_notes: notes = [], subCommands = [] } = root
  const groups = [...new Set(subCommands.map(({ group = 'Commands' }) => group))]
  const optionRows = common.flatMap((name) => {
    const def = options[name]
    if (def === undefined) return []
    const short = def.alias === undefined ? '' : `-${def.alias}, `
    return [[`${short}--${name}${def.type === 'string' ? `=<${def.valueHint ?? 'value'}>` : ''}`, def.description ?? '']]
  })
  const sections = [
    [root.description],
    [title('EXAMPLES'), '', ...aligned(examples.map((line, index) => [`plumbline ${line}`, notes[index] ?? '']))],
    [title('USAGE'), '', '  plumbline <command> [options]'],
    ...groups.map((group) => [
      title(group.toUpperCase()),
      '',
      ...aligned(subCommands.filter((one) => (one.group ?? 'Commands') === group).map((one) => [wordOf(one), one.description])),
    ]),
    [title('OPTIONS OF EVERY COMMAND'), '', ...aligned(optionRows)],
    [`Days are dates or words: ${DAY_WORDS}.`, 'Use plumbline <command> --help for more about a command.'],
  ]
  return `${sections.map((lines) => lines.join('\n')).join('\n\n')}\n`
}

function aligned(rows: readonly (readonly string[])[]): readonly string[] {
  const width = Math.max(...rows.map(([first = '']) => first.length))
  return rows.map(([first = '', second = '']) => `  ${first.padEnd(width)}  ${second}`.trimEnd())
}

function toCitty(command: CommandOutline, outline: Outline): CommandDef {
  const args: ArgsDef = {}
  for (const { name, description, optional, many } of command.positionals ?? [])
    args[many === true ? `${name}…` : name] = {
      type: 'positional',
      description,
      required: optional !== true,
    }
  for (const name of allowedOptions(outline, command)) {
    const def = optionOfCommand(outline, command, name)
    if (def !== undefined) args[name] = isRequired(command, name) ? { ...def, required: true } : def
  }
  const subCommands = Object.fromEntries((command.subCommands ?? []).map((sub) => [wordOf(sub), toCitty(sub, outline)]))
  return {
    meta: {
      name: `plumbline ${command.name}`.trim(),
      description: command.description,
    },
    args,
    ...(Object.keys(subCommands).length === 0 ? {} : { subCommands }),
  }
}

function isRequired(command: CommandOutline, name: OptionName): boolean {
  return command.required?.includes(name) === true
}

function namesSection(title: string, names: readonly string[] = [], color: boolean): string[] {
  if (names.length === 0) return []
  return [[paint('bold', title, color), '', ...wrapped(names.join(', '))].join('\n')]
}

// Every dimension is also a filter. Only the other filters need a list.
function filtersAlone({ filters = [], dimensions = [] }: CommandOutline): readonly string[] {
  const others = filters.filter((key) => !dimensions.includes(key))
  return others.length === 0 || dimensions.length === 0 ? others : ['the dimensions above', ...others]
}

function examplesSection({ examples = [] }: CommandOutline, color: boolean): string[] {
  if (examples.length === 0) return []
  return [[paint('bold', 'EXAMPLES', color), '', ...examples.map((line) => `  plumbline ${line}`)].join('\n')]
}

/** The manual page in `man` markup: each command with its options, then the options of every command. */
export function manualPage(outline: Outline, version: string): string {
  const { root, common } = outline
  return [
    `.TH PLUMBLINE 1 "" "plumbline ${plain(version)}" "User Commands"`,
    section('NAME', `plumbline \\- ${plain(root.description)}`),
    section('SYNOPSIS', '.B plumbline\n.I command\n[\\fIoptions\\fR]'),
    section('COMMANDS', ...commandsBelow(root).map((command) => commandText(command, outline))),
    section('OPTIONS OF EVERY COMMAND', ...common.flatMap((name) => optionText(name, optionIn(outline, name)))),
    section('EXIT STATUS', ...EXIT_CODES.map(([code, meaning]) => `.TP\n.B ${code}\n${plain(meaning)}`)),
    section(
      'FILES',
      '.TP\n.I plumbline.toml\nThe configuration file: in the working directory, a parent directory or the home directory.',
    ),
    section(
      'ENVIRONMENT',
      '.TP\n.B NO_COLOR\\fR, \\fBFORCE_COLOR\nNO_COLOR turns styles off. FORCE_COLOR turns them on even if the output is not a terminal.',
      '.TP\n.BI PLUMBLINE_ section _ key\nA setting of the configuration.',
    ),
    '',
  ].join('\n')
}

const EXIT_CODES = [
  [0, 'Success.'],
  [1, 'Internal error.'],
  [2, 'An unknown or missing command or option, or an invalid configuration.'],
  [3, 'The request was refused, or an import of rates rejected rows.'],
  [4, 'The database cannot be reached, lags behind or timed out.'],
  [5, 'check or init found a failure, or the tables of a publication contradict each other.'],
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
    ...(command.dates === undefined ? [] : [plain(command.dates)]),
    ...own.flatMap((name) => optionText(name, optionOfCommand(outline, command, name))),
    ...(command.examples === undefined ? [] : ['.PP', 'For example:', '.nf', ...command.examples.map(exampleText), '.fi']),
  ].join('\n')
}

function exampleText(line: string): string {
  return `.RS\nplumbline ${plain(line)}\n.RE`
}

function optionText(name: OptionName, def: OptionDef | undefined): string[] {
  if (def === undefined) return []
  const value = def.type === 'string' ? ` \\fI${plain(def.valueHint ?? 'value')}\\fR` : ''
  const short = def.alias === undefined ? '' : `\\fB\\-${def.alias}\\fR, `
  return [`.TP\n${short}\\fB\\-\\-${plain(name)}\\fR${value}\n${plain(def.description ?? '')}.`]
}

function section(title: string, ...parts: readonly string[]): string {
  return [`.SH ${title}`, ...parts].join('\n')
}

// The formatter interprets backslashes, hyphens, and a dot or quote at the beginning of a line.
function plain(text: string): string {
  const escaped = text.replaceAll('\\', '\\e').replaceAll('-', '\\-').replaceAll('’', '\\(cq').replaceAll('…', '...')
  return escaped.replace(/^([.'])/, '\\&$1')
}
