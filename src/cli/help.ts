import { stripVTControlCharacters } from 'node:util'
import { type ArgsDef, type CommandDef, renderUsage } from 'citty'
import { type Command, wordOf } from './command.ts'
import type { Output } from './io.ts'
import { COMMON_OPTIONS, optionNamed } from './options.ts'

/** The usage text of a command, plain where the stream is no terminal. */
export async function helpText(command: Command, output: Output): Promise<string> {
  const text = (await renderUsage(toCitty(command))).replaceAll(/ +$/gm, '')
  return `${output.isTTY === true ? text : stripVTControlCharacters(text)}\n`
}

function toCitty(command: Command): CommandDef {
  const args: ArgsDef = {}
  for (const positional of command.positionals ?? [])
    args[positional.name] = { type: 'positional', description: positional.description }
  for (const name of [...command.options, ...COMMON_OPTIONS]) {
    const def = optionNamed(name)
    if (def !== undefined) args[name] = command.required?.includes(name) === true ? { ...def, required: true } : def
  }
  const subCommands = Object.fromEntries((command.subCommands ?? []).map((sub) => [wordOf(sub), toCitty(sub)]))
  return {
    meta: { name: `plumbline ${command.name}`.trim(), description: command.description },
    args,
    ...(Object.keys(subCommands).length === 0 ? {} : { subCommands }),
  }
}
