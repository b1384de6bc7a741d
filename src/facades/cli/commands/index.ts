import { figureCommands, figureWords, type MetricDefinition } from '../../../engine/engine.ts'
import type { Command, CommandOutline, Outline } from '../command.ts'
import { COMMON_OPTIONS, OPTIONS } from '../options.ts'
import { AUDIT_COMMAND, KEYS_COMMAND } from './access.ts'
import { ATTRIBUTES_COMMAND } from './attributes.ts'
import { BILLING_HEALTH_COMMAND } from './billing-health.ts'
import { BILLING_NOTICES_COMMAND } from './billing-notices.ts'
import { bridgeCommand } from './bridge.ts'
import { CACHE_COMMAND } from './cache.ts'
import { DELIVERIES_COMMAND } from './deliveries.ts'
import { discoveryCommands, explainCommand } from './discovery.ts'
import { EXPENSE_COMMANDS } from './expenses.ts'
import { FX_COMMAND } from './fx.ts'
import { GOALS_COMMAND } from './goals.ts'
import { LAKE_COMMANDS } from './lake.ts'
import { CLOSE_COMMAND } from './ledger-close.ts'
import { LINKS_COMMAND } from './links.ts'
import { BILLINGS_COMMAND, LEDGER_COMMANDS, LIST_COMMANDS, RENEWALS_COMMAND } from './lists.ts'
import { MANUAL_COMMANDS } from './manual.ts'
import { metricCommands } from './metrics.ts'
import { NOTES_COMMAND } from './notes.ts'
import { REPORT_COMMAND } from './report.ts'
import { rowsCommand } from './rows.ts'
import { SEGMENTS_COMMAND } from './segments.ts'
import { MCP_COMMAND, SERVICE_COMMANDS } from './service.ts'
import { SETUP_COMMANDS } from './setup.ts'
import { BACKFILL_COMMAND, SOURCES_COMMAND } from './sources.ts'
import { SUMMARY_COMMAND } from './summary.ts'
import { VERIFY_COMMAND } from './verify.ts'

/** The tree of commands. Commands of metrics follow from the definitions, in the given order. */
export function commandTree(metrics: readonly MetricDefinition[]): Command {
  const definitions = metrics.filter(({ is_overview }) => is_overview !== true)
  const listed = definitions.map(({ name }) => name)
  return {
    name: '',
    description: 'Subscription analytics read straight from the billing engine’s own database',
    options: [],
    examples: FIRST_STEPS.map(([line]) => line),
    example_notes: FIRST_STEPS.map(([, note]) => note),
    subCommands: [
      ...grouped(
        'Figures',
        SUMMARY_COMMAND,
        ...withBelow(metrics.flatMap(metricCommands), [...EXPENSE_COMMANDS, ...LEDGER_COMMANDS, CLOSE_COMMAND]),
        rowsCommand(definitions),
        REPORT_COMMAND,
        DELIVERIES_COMMAND,
      ),
      ...grouped('Customers and invoices', ...LIST_COMMANDS, RENEWALS_COMMAND, BILLINGS_COMMAND),
      ...grouped('What is billed wrongly', BILLING_HEALTH_COMMAND, BILLING_NOTICES_COMMAND),
      ...grouped(
        'What a figure means',
        ...discoveryCommands(listed),
        explainCommand(figureWords(metrics)),
        bridgeCommand(definitions),
      ),
      ...grouped(
        'Your own data',
        SEGMENTS_COMMAND,
        NOTES_COMMAND,
        GOALS_COMMAND,
        ATTRIBUTES_COMMAND,
        FX_COMMAND,
        SOURCES_COMMAND,
        BACKFILL_COMMAND,
      ),
      ...grouped('Access', KEYS_COMMAND, LINKS_COMMAND, AUDIT_COMMAND),
      ...grouped('Services', ...SERVICE_COMMANDS, MCP_COMMAND, CACHE_COMMAND, ...LAKE_COMMANDS),
      ...grouped('Setup and checks', ...SETUP_COMMANDS, VERIFY_COMMAND),
      ...grouped('Help', ...MANUAL_COMMANDS),
    ],
  }
}

/** The examples at the head of the help, each with what it does. */
const FIRST_STEPS = [
  ['demo', 'try it on sample data, with the dashboard'],
  ['summary --end yesterday', 'the headline figures'],
  ['mrr --range last-12-months', 'MRR by month, with bars'],
  ['why --range last-month', 'what changed MRR, in sentences'],
  ['mrr --range 2026 --dimension plan_id -o mrr.xlsx', 'a workbook, MRR by plan'],
] as const

function grouped(group: string, ...commands: readonly Command[]): readonly Command[] {
  return commands.map((command) => ({ ...command, group }))
}

// If another command has the first word of a metric's command, it is placed below that command.
function withBelow(commands: readonly Command[], others: readonly Command[]): readonly Command[] {
  const words = new Set([...commands, ...others].map(({ name }) => name.split(' ', 1)[0] ?? ''))
  return [...words].map((word) => {
    const own = commands.find(({ name }) => name === word) ?? {
      name: word,
      description: 'Bills and expenses',
      options: [],
    }
    const below = others.filter(({ name }) => name.startsWith(`${word} `))
    return below.length === 0 ? own : { ...own, subCommands: [...(own.subCommands ?? []), ...below] }
  })
}

/** The outline of the command line for these metrics. `samples` are the words that may follow `--demo`. */
export function describeCommandLine(metrics: readonly MetricDefinition[], samples: readonly string[] = []): Outline {
  return {
    root: outlineOf(commandTree(metrics)),
    options: Object.fromEntries(
      [...OPTIONS].map(([name, def]) => [name, name === 'demo' ? { ...def, values: samples } : def] as const),
    ),
    common: COMMON_OPTIONS,
    figures: figureCommands(metrics),
  }
}

function outlineOf({ run, subCommands, ...description }: Command): CommandOutline {
  const below = subCommands === undefined ? {} : { subCommands: subCommands.map(outlineOf) }
  return { ...description, runs: run !== undefined, ...below }
}
