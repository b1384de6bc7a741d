import { parseArgs } from 'node:util'
import { suggest } from '../core/errors.ts'
import { type Command, type CommandInput, wordOf } from './command.ts'
import { COMMON_OPTIONS, OPTIONS, type OptionName, optionNamed } from './options.ts'

/** What a command line asks for, or what is wrong with it. */
export type CommandLine =
  | { readonly kind: 'run'; readonly command: Command; readonly input: CommandInput }
  | { readonly kind: 'help'; readonly command: Command }
  | { readonly kind: 'version' }
  | { readonly kind: 'refused'; readonly command: Command; readonly problems: readonly string[] }

interface OptionToken {
  readonly name: string
  readonly rawName: string
  readonly value: string | undefined
  readonly inline: boolean
}

/**
 * Reads a command line strictly: an unknown option, a missing value, a missing option that the command needs, a repeated single option, an unknown command and a surplus argument
 * are refused. Options may stand anywhere, for their arity is the same in every command.
 */
export function readCommandLine(argv: readonly string[], root: Command): CommandLine {
  const { options, words } = tokenize(argv)
  const { command, rest } = descend(root, words)
  if (options.some((option) => option.name === 'help')) return { kind: 'help', command }
  if (options.some((option) => option.name === 'version')) return { kind: 'version' }
  const values = new Map<OptionName, string[]>()
  const flags = new Set<OptionName>()
  const optionProblems = collectOptions(options, command, values, flags)
  // A misread option also shifts the words after it, so complaints about those would mislead.
  const problems =
    optionProblems.length > 0 ? optionProblems : [...wordProblems(command, rest), ...missingOptions(command, values)]
  if (problems.length > 0) return { kind: 'refused', command, problems }
  return { kind: 'run', command, input: { values, flags, positionals: rest } }
}

function tokenize(argv: readonly string[]): { options: readonly OptionToken[]; words: readonly string[] } {
  const known = Object.fromEntries(
    Object.entries(OPTIONS).map(([name, def]) => [name, { type: def.type, ...('alias' in def ? { short: def.alias } : {}) }]),
  )
  const { tokens } = parseArgs({ args: [...argv], options: known, strict: false, allowPositionals: true, tokens: true })
  const options = tokens.flatMap((token) =>
    token.kind === 'option'
      ? [{ name: token.name, rawName: token.rawName, value: token.value, inline: token.inlineValue === true }]
      : [],
  )
  return { options, words: tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : [])) }
}

function descend(root: Command, words: readonly string[]): { command: Command; rest: readonly string[] } {
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
  command: Command,
  values: Map<OptionName, string[]>,
  flags: Set<OptionName>,
): string[] {
  const allowed: readonly OptionName[] = [...command.options, ...COMMON_OPTIONS]
  const problems = new Set<string>()
  for (const token of tokens) {
    const name = allowed.find((candidate) => candidate === token.name)
    const def = name === undefined ? undefined : optionNamed(name)
    if (name === undefined || def === undefined) {
      problems.add(strangeOption(token, command, allowed))
    } else if (def.type === 'boolean') {
      if (token.value !== undefined) problems.add(`option --${name} takes no value`)
      flags.add(name)
    } else if (token.value === undefined || (!token.inline && /^-./.test(token.value))) {
      problems.add(`option --${name} needs a value; one that starts with a dash is written --${name}=-…`)
    } else if (values.has(name) && def.repeatable !== true) {
      problems.add(`option --${name} is given more than once`)
    } else {
      values.set(name, [...(values.get(name) ?? []), token.value])
    }
  }
  return [...problems]
}

function missingOptions({ required = [] }: Command, values: ReadonlyMap<OptionName, unknown>): string[] {
  return required.filter((name) => !values.has(name)).map((name) => `option --${name} is missing`)
}

// A misspelt name gets the near ones; a name that means something elsewhere, or nothing anywhere, gets what there is here.
function strangeOption({ name, rawName }: OptionToken, command: Command, allowed: readonly OptionName[]): string {
  const list = `; allowed: ${allowed.map((option) => `--${option}`).join(', ')}`
  if (optionNamed(name) !== undefined) return `option --${name} does not apply to "${`plumbline ${command.name}`.trim()}"${list}`
  return `unknown option ${rawName}${hint(name, allowed, '--') || list}`
}

function wordProblems(command: Command, words: readonly string[]): string[] {
  const expected = command.positionals ?? []
  const surplus = words[expected.length]
  if (surplus !== undefined) {
    const names = (command.subCommands ?? []).map(wordOf)
    if (names.length === 0) return [`unexpected argument "${surplus}"`]
    return [
      `unknown command "${[command.name, surplus].join(' ').trim()}"${hint(surplus, names, `${command.name} `.trimStart())}`,
    ]
  }
  if (command.run === undefined) return [`a command is missing${command.name === '' ? '' : ` after "${command.name}"`}`]
  return expected.slice(words.length).map((positional) => `argument <${positional.name}> is missing`)
}

function hint(word: string, known: readonly string[], prefix: string): string {
  const near = suggest(word, known).map((name) => `${prefix}${name}`)
  return near.length === 0 ? '' : `; did you mean ${near.join(' or ')}?`
}
