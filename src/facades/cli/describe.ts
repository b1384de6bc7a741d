import type { MetricDefinition } from '../../engine/engine.ts'
import type { Command } from './command.ts'
import { commandTree } from './commands/index.ts'
import { COMMON_OPTIONS, OPTIONS } from './options.ts'
import type { CommandOutline, Outline } from './outline.ts'

/** The outline of the command line for these metrics. */
export function describeCommandLine(metrics: readonly MetricDefinition[]): Outline {
  return {
    root: outlineOf(commandTree(metrics)),
    options: Object.fromEntries(OPTIONS),
    common: COMMON_OPTIONS,
  }
}

function outlineOf({ run, subCommands, ...description }: Command): CommandOutline {
  const below = subCommands === undefined ? {} : { subCommands: subCommands.map(outlineOf) }
  return { ...description, runs: run !== undefined, ...below }
}
