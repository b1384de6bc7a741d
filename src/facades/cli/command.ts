import type { Engine } from '../../engine/engine.ts'
import type { Io } from './io.ts'
import type { OptionDef, OptionName } from './options.ts'
import type { Product } from './product.ts'

/** What the user wrote, checked: every option known to the command, every value present. */
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
  /** Any number of words from here on. */
  readonly many?: true
  /** The words there are, where they are few. */
  readonly values?: readonly string[]
  /** It names a file. */
  readonly isFile?: true
}

/** What can be said of a command without running it. */
export interface CommandDescription {
  /** Full name, `mrr breakdown`; the root's is empty. */
  readonly name: string
  readonly description: string
  readonly options: readonly OptionName[]
  /** Options without which the command means nothing. */
  readonly required?: readonly OptionName[]
  /** Options of all commands that this one does not take: it has no result that they could shape. */
  readonly excluded?: readonly OptionName[]
  /** Options any of which stands for all of those. */
  readonly alternatives?: readonly OptionName[]
  readonly positionals?: readonly Positional[]
  /** Names that `--dimension` takes. */
  readonly dimensions?: readonly string[]
  /** Keys that `--filter` takes. */
  readonly filters?: readonly string[]
  /** Whole command lines, without the name of the program. */
  readonly examples?: readonly string[]
}

/** A command as data. One without `run` only groups its sub-commands; one with both runs when no sub-command is named. */
export interface Command extends CommandDescription {
  readonly subCommands?: readonly Command[]
  /** Resolves to the exit code; throws AppError or UsageError. */
  readonly run?: (invocation: Invocation) => Promise<number>
}

/** The word by which a command is called inside its parent. */
export function wordOf({ name }: Pick<CommandDescription, 'name'>): string {
  return name.slice(name.lastIndexOf(' ') + 1)
}

/** The single value of an option, undefined if not given. */
export function optionValue(input: CommandInput, name: OptionName): string | undefined {
  return input.values.get(name)?.[0]
}

/** A command line that asks for something no command offers: exit code 2. */
export class UsageError extends Error {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.name = 'UsageError'
    this.problems = problems
  }
}

/** A command as the outline has it: data and nothing else. */
export interface CommandOutline extends CommandDescription {
  /** False where it only groups its sub-commands. */
  readonly runs: boolean
  readonly subCommands?: readonly CommandOutline[]
}

/**
 * All that reading a command line, help and completion need to know. The build writes it down, so that none of them has to load what the
 * commands are made of.
 */
export interface Outline {
  readonly root: CommandOutline
  readonly options: Readonly<Record<string, OptionDef>>
  /** Options that every command takes. */
  readonly common: readonly OptionName[]
}

/** The definition of an option; undefined for a name that no command knows. */
export function optionIn({ options }: Outline, name: string): OptionDef | undefined {
  return Object.hasOwn(options, name) ? options[name] : undefined
}

/** Names of the options that a command takes. */
export function allowedOptions({ common }: Outline, { options, excluded = [] }: CommandDescription): readonly OptionName[] {
  return [...options, ...common.filter((name) => !excluded.includes(name))]
}

/** Runs work on the configured engine and closes it; exit code 0. */
export async function withEngine({ input, product }: Invocation, work: (engine: Engine) => Promise<void>): Promise<number> {
  const opened = await product.open({ config: optionValue(input, 'config') })
  try {
    await work(opened.engine)
    return 0
  } finally {
    await opened.close()
  }
}
