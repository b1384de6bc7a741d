import { stripVTControlCharacters } from 'node:util'
import { type ArgsDef, type CommandDef, renderUsage } from 'citty'
import { wordOf } from './command.ts'
import type { Output } from './io.ts'
import type { OptionName } from './options.ts'
import { allowedOptions, type CommandOutline, type Outline, optionIn } from './outline.ts'
import { paint } from './paint.ts'
import { wrapped } from './wrapped.ts'

/** The help text of a command: usage, what it groups and filters by, examples. Plain where the stream shows no styles. */
export async function helpText(command: CommandOutline, outline: Outline, { color = false }: Output): Promise<string> {
  const usage = (await renderUsage(toCitty(command, outline))).replaceAll(/ +$/gm, '')
  const sections = [
    color ? usage : stripVTControlCharacters(usage),
    ...namesSection('DIMENSIONS', command.dimensions, color),
    ...namesSection('FILTERS', filtersAlone(command), color),
    ...examplesSection(command, color),
  ]
  return `${sections.map((text) => text.trimEnd()).join('\n\n')}\n`
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
    const def = optionIn(outline, name)
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
  return command.required?.includes(name) === true && command.instead === undefined
}

function namesSection(title: string, names: readonly string[] = [], color: boolean): string[] {
  if (names.length === 0) return []
  return [[paint('bold', title, color), '', ...wrapped(names.join(', '))].join('\n')]
}

// Whatever groups also filters; only the others are worth a list.
function filtersAlone({ filters = [], dimensions = [] }: CommandOutline): readonly string[] {
  const others = filters.filter((key) => !dimensions.includes(key))
  return others.length === 0 || dimensions.length === 0 ? others : ['the dimensions above', ...others]
}

function examplesSection({ examples = [] }: CommandOutline, color: boolean): string[] {
  if (examples.length === 0) return []
  return [[paint('bold', 'EXAMPLES', color), '', ...examples.map((line) => `  plumbline ${line}`)].join('\n')]
}
