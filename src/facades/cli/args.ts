import { parseArgs } from 'node:util'
import { redact } from '../../core/addresses.ts'
import { suggest } from '../../core/errors.ts'
import { allowedOptions, type CommandInput, type CommandOutline, type Outline, optionIn, wordOf } from './command.ts'
import type { OptionName } from './options.ts'

/** A command line after reading: a command to run, a help text, the version, or problems. */
type CommandLine =
  | {
      readonly kind: 'run'
      readonly command: CommandOutline
      readonly input: CommandInput
    }
  | { readonly kind: 'help'; readonly command: CommandOutline }
  | { readonly kind: 'version' }
  | {
      readonly kind: 'refused'
      readonly command: CommandOutline
      readonly problems: readonly string[]
    }

/** The command that prints the help of another command. */
const HELP = 'help'

interface OptionToken {
  readonly name: string
  readonly rawName: string
  readonly value: string | undefined
  readonly inline: boolean
}

/**
 * Reads a command line strictly. It refuses unknown commands and options, missing values, missing required options, surplus arguments,
 * and an option that is given twice but takes one value. Options may come before or after the words: an option takes a value in
 * every command or in none.
 */
export function readCommandLine(argv: readonly string[], outline: Outline): CommandLine {
  const { options, words } = tokenize(argv, outline)
  const { command, rest } = findCommand(outline.root, words)
  if (options.some((option) => option.name === 'help')) return { kind: 'help', command }
  if (options.some((option) => option.name === 'version')) return { kind: 'version' }
  const values = new Map<OptionName, string[]>()
  const flags = new Set<OptionName>()
  const optionProblems = collectOptions(options, command, outline, values, flags)
  const isFigure = command === outline.root && figureCommand(rest[0] ?? '', outline) !== undefined
  // A misread option shifts the words after it, so problems with the words would mislead. The name of a figure is no such word.
  const problems =
    optionProblems.length > 0 && !isFigure
      ? optionProblems
      : [...wordProblems(command, rest, outline), ...missingOptions(command, values)]
  if (problems.length > 0) return { kind: 'refused', command, problems }
  if (command.name === HELP) return helpAbout(rest, outline)
  return { kind: 'run', command, input: { values, flags, positionals: rest } }
}

/** The first word of a command line that is neither an option nor the value of an option. */
export function firstWord(argv: readonly string[], outline: Outline): string | undefined {
  return tokenize(argv, outline).words[0]
}

function helpAbout(words: readonly string[], outline: Outline): CommandLine {
  const { command, rest } = findCommand(outline.root, words)
  const [strange] = rest
  if (strange === undefined) return { kind: 'help', command }
  return {
    kind: 'refused',
    command,
    problems: [unknownCommand(command, strange, outline)],
  }
}

function tokenize(argv: readonly string[], outline: Outline): { options: readonly OptionToken[]; words: readonly string[] } {
  const known = Object.fromEntries(
    Object.entries(outline.options).map(([name, def]) => [
      name,
      {
        type: def.type,
        ...(def.alias === undefined ? {} : { short: def.alias }),
      },
    ]),
  )
  const { tokens } = parseArgs({
    args: withJoinedWords(argv, outline),
    options: known,
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const options = tokens.flatMap((token) =>
    token.kind === 'option'
      ? [
          {
            name: token.name,
            rawName: token.rawName,
            value: token.value,
            inline: token.inlineValue === true,
          },
        ]
      : [],
  )
  return {
    options,
    words: tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : [])),
  }
}

/** The arguments with each flag that may have a word joined to that word: `--demo word` becomes `--demo=word`. */
function withJoinedWords(argv: readonly string[], outline: Outline): string[] {
  const mayHaveWord = (argument: string | undefined, word: string): boolean => {
    const def = argument?.startsWith('--') === true ? optionIn(outline, argument.slice(2)) : undefined
    return def?.type === 'boolean' && def.values?.includes(word) === true
  }
  return argv.flatMap((argument, index) => {
    const next = argv[index + 1]
    if (next !== undefined && mayHaveWord(argument, next)) return [`${argument}=${next}`]
    return mayHaveWord(argv[index - 1], argument) ? [] : [argument]
  })
}

/** The command that the words name, and the remaining words. */
export function findCommand(
  root: CommandOutline,
  words: readonly string[],
): { command: CommandOutline; rest: readonly string[] } {
  let command = root
  let depth = 0
  for (const word of words) {
    const next = command.subCommands?.find((candidate) => wordOf(candidate) === word)
    if (next === undefined) break
    command = next
    depth++
  }
  return { command, rest: words.slice(depth) }
}

function collectOptions(
  tokens: readonly OptionToken[],
  command: CommandOutline,
  outline: Outline,
  values: Map<OptionName, string[]>,
  flags: Set<OptionName>,
): string[] {
  const allowed = allowedOptions(outline, command)
  const problems = new Set<string>()
  for (const token of tokens) {
    const name = allowed.find((candidate) => candidate === token.name)
    const def = name === undefined ? undefined : optionIn(outline, name)
    if (name === undefined || def === undefined) {
      problems.add(unknownOption(token, command, allowed, outline))
    } else if (def.type === 'boolean') {
      if (token.value !== undefined && def.values?.includes(token.value) !== true) problems.add(`option --${name} takes no value`)
      if (token.value !== undefined) values.set(name, [token.value])
      flags.add(name)
    } else if (token.value === undefined || (!token.inline && (def.startsWithDash === true ? /^--/ : /^-./).test(token.value))) {
      problems.add(`option --${name} needs a value; write --${name}=-… if the value starts with a dash`)
    } else if (values.has(name) && def.repeatable !== true) {
      problems.add(`option --${name} is given more than once`)
    } else {
      values.set(name, [...(values.get(name) ?? []), token.value])
    }
  }
  return [...problems]
}

function missingOptions({ required = [] }: CommandOutline, values: ReadonlyMap<OptionName, unknown>): string[] {
  return required.filter((name) => !values.has(name)).map((name) => `option --${name} is missing`)
}

// Suggests similar names for a misspelt option. The help lists all options.
function unknownOption(
  { name, rawName }: OptionToken,
  command: CommandOutline,
  allowed: readonly OptionName[],
  outline: Outline,
): string {
  if (optionIn(outline, name) !== undefined) return `option --${name} does not apply to "${`plumbline ${command.name}`.trim()}"`
  return `unknown option ${redact(rawName)}${hint(name, allowed, '--')}`
}

function wordProblems(command: CommandOutline, words: readonly string[], outline: Outline): string[] {
  const expected = command.positionals ?? []
  const surplus = expected.at(-1)?.many === true ? undefined : words[expected.length]
  if (surplus !== undefined) {
    return [
      command.subCommands === undefined ? `unexpected argument "${redact(surplus)}"` : unknownCommand(command, surplus, outline),
    ]
  }
  if (!command.runs) return [`a command is missing${command.name === '' ? '' : ` after "${command.name}"`}`]
  const needed = expected.slice(words.length).filter(({ optional }) => optional !== true)
  return needed.map((positional) => `argument <${positional.name}> is missing`)
}

// An address may have a password. A figure such as nrr, which is no command, leads to the command that answers it.
function unknownCommand(command: CommandOutline, word: string, outline: Outline): string {
  const { name, subCommands = [] } = command
  const answering = command === outline.root ? figureCommand(word, outline) : undefined
  const near =
    answering === undefined ? hint(word, subCommands.map(wordOf), `${name} `.trimStart()) : `; did you mean ${answering}?`
  return `unknown command "${[name, redact(word)].join(' ').trim()}"${near}`
}

function figureCommand(word: string, { figures }: Outline): string | undefined {
  const written = word.toLowerCase().replaceAll('-', '_')
  return Object.hasOwn(figures, written) ? figures[written] : undefined
}

function hint(word: string, known: readonly string[], prefix: string): string {
  const near = suggest(word, known).map((name) => `${prefix}${name}`)
  return near.length === 0 ? '' : `; did you mean ${near.join(' or ')}?`
}
