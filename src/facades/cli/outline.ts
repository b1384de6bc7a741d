import type { CommandDescription } from './command.ts'
import type { OptionDef, OptionName } from './options.ts'

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
export function allowedOptions({ common }: Outline, { options, without = [] }: CommandDescription): readonly OptionName[] {
  return [...options, ...common.filter((name) => !without.includes(name))]
}
