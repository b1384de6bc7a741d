import type { Engine } from '../../engine/engine.ts'
import type { Io } from './io.ts'
import type { OptionDef, OptionName } from './options.ts'
import type { Product } from './product.ts'

/** A checked command line: the command knows every option, and every value is present. */
export interface CommandInput {
  /** Values by option name; a single-valued option has exactly one. */
  readonly values: ReadonlyMap<OptionName, readonly string[]>
  readonly flags: ReadonlySet<OptionName>
  readonly positionals: readonly string[]
}

export interface Invocation {
  readonly input: CommandInput
  readonly io: Io
  readonly product: Product
}

interface Positional {
  readonly name: string
  readonly description: string
  readonly optional?: true
  /** True if the argument takes all remaining words. */
  readonly many?: true
  /** All allowed words, if they are few. */
  readonly values?: readonly string[]
  /** True if the argument is the path of a file. */
  readonly isFile?: true
}

interface OptionText {
  readonly valueHint: string
  readonly description: string
}

/** Everything about a command except the code that runs it. */
export interface CommandDescription {
  /** Full name, such as `mrr breakdown`. Empty for the root. */
  readonly name: string
  readonly description: string
  readonly options: readonly OptionName[]
  /** Required options. */
  readonly required?: readonly OptionName[]
  /** The texts of options that mean something else in other commands. */
  readonly texts?: Readonly<Partial<Record<OptionName, OptionText>>>
  /** Common options that this command does not take, because it prints no result. */
  readonly excluded?: readonly OptionName[]
  /** The dates that the command takes without options for dates. */
  readonly dates?: string
  /** The command that lists all dimensions and filters. */
  readonly names?: string
  readonly positionals?: readonly Positional[]
  /** Names that `--dimension` takes. */
  readonly dimensions?: readonly string[]
  /** Keys that `--filter` takes. */
  readonly filters?: readonly string[]
  /** Whole command lines, without the name of the program. */
  readonly examples?: readonly string[]
  /** The purpose of each example, in the same order. */
  readonly example_notes?: readonly string[]
  /** Formats by file extension, if they are not those of most commands. */
  readonly formats?: Readonly<Record<string, string>>
  /** The group of a command in the help. Commands below another one have none. */
  readonly group?: string
}

/** A command as data. Without `run` it only groups its sub-commands. With both, it runs if no sub-command is named. */
export interface Command extends CommandDescription {
  readonly subCommands?: readonly Command[]
  /** Resolves to the exit code; throws AppError or UsageError. */
  readonly run?: (invocation: Invocation) => Promise<number>
}

/** The words of days, for messages and help. */
export const DAY_WORDS = 'today, yesterday, 2026-10, 2026-Q3, 2026, last month, this quarter, last 30 days'

/** The last word of a command's name. */
export function wordOf({ name }: Pick<CommandDescription, 'name'>): string {
  return name.slice(name.lastIndexOf(' ') + 1)
}

/** The value of an option; undefined if it is not given. */
export function optionValue(input: CommandInput, name: OptionName): string | undefined {
  return input.values.get(name)?.[0]
}

/** A problem with the command line: exit code 2. */
export class UsageError extends Error {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.name = 'UsageError'
    this.problems = problems
  }
}

/** A command in the outline: data without code. */
export interface CommandOutline extends CommandDescription {
  /** False if it only groups sub-commands. */
  readonly runs: boolean
  readonly subCommands?: readonly CommandOutline[]
}

/**
 * Everything that reading a command line, help and completion need. The build writes it to a file, so these three start without loading
 * the commands.
 */
export interface Outline {
  readonly root: CommandOutline
  readonly options: Readonly<Record<string, OptionDef>>
  /** Commands that answer figures and financial terms, by word. */
  readonly figures: Readonly<Record<string, string>>
  /** Options that every command takes. */
  readonly common: readonly OptionName[]
}

/** The definition of an option; undefined for an unknown name. */
export function optionIn({ options }: Outline, name: string): OptionDef | undefined {
  return Object.hasOwn(options, name) ? options[name] : undefined
}

/** The definition of an option with its text in a command. */
export function optionOfCommand(outline: Outline, { texts = {} }: CommandDescription, name: OptionName): OptionDef | undefined {
  const def = optionIn(outline, name)
  return def && { ...def, ...texts[name] }
}

/** Names of all options that a command takes. */
export function allowedOptions({ common }: Outline, { options, excluded = [] }: CommandDescription): readonly OptionName[] {
  return [...options, ...common.filter((name) => !excluded.includes(name))]
}

/** Opens the configured engine, runs `work` with it, closes it and returns the exit code of `work`, by default 0. */
export async function withEngine<T>({ input, product }: Invocation, work: (engine: Engine) => Promise<T>): Promise<number> {
  const opened = await product.open({ config: optionValue(input, 'config') })
  try {
    const exit = await work(opened.engine)
    return typeof exit === 'number' ? exit : 0
  } finally {
    await opened.close()
  }
}
