import type { BooleanArgDef, StringArgDef } from 'citty'

/** An option of the command line; `repeatable` ones collect their values. */
export type OptionDef = (StringArgDef | BooleanArgDef) & { readonly repeatable?: true }

/** Every option of every command, by name without dashes. An option means the same wherever it is offered. */
export const OPTIONS = {
  at: { type: 'string', valueHint: 'date', description: 'State at the end of this day (YYYY-MM-DD, UTC); today if absent' },
  start: { type: 'string', valueHint: 'date', description: 'First day of the range (YYYY-MM-DD, UTC)' },
  end: { type: 'string', valueHint: 'date', description: 'Last day of the range, inclusive' },
  interval: { type: 'string', valueHint: 'interval', description: 'Step of a series: day, week, month, quarter or year' },
  dimension: { type: 'string', valueHint: 'name', repeatable: true, description: 'Group by this dimension; may be repeated' },
  filter: {
    type: 'string',
    valueHint: 'key=value',
    repeatable: true,
    description: 'Keep what equals the value; may be repeated',
  },
  segment: { type: 'string', valueHint: 'id', description: 'Only the customers of this segment' },
  compare: { type: 'string', valueHint: 'id', repeatable: true, description: 'Rows for each of these segments, at most 10' },
  type: {
    type: 'string',
    valueHint: 'logo|revenue',
    description: 'What is counted as lost: customers (logo) or revenue; logo if absent',
  },
  'query-type': {
    type: 'string',
    valueHint: 'name',
    description: 'Which figure, as `plumbline fields <metric>` lists them',
  },
  granularity: { type: 'string', valueHint: 'interval', description: 'One row per period' },
  name: { type: 'string', valueHint: 'text', description: 'Name of the segment' },
  description: { type: 'string', valueHint: 'text', description: 'What the segment is about' },
  file: { type: 'string', valueHint: 'json', description: 'File with the definition of the segment' },
  'id-column': {
    type: 'string',
    valueHint: 'name',
    description: 'Column that names the customer; customer_id, external or email if absent',
  },
  'id-kind': {
    type: 'string',
    valueHint: 'id|external|email',
    description: 'What that column holds; by its name if absent',
  },
  format: { type: 'string', valueHint: 'text|json|csv', description: 'Form of the result; text if absent' },
  config: { type: 'string', valueHint: 'file', description: 'Configuration file instead of plumbline.toml here or at home' },
  host: { type: 'string', valueHint: 'name', description: 'Address to listen on' },
  port: { type: 'string', valueHint: 'number', description: 'Port to listen on' },
  cross: { type: 'boolean', description: 'Compare answers from the cache with those of the database' },
  once: { type: 'boolean', description: 'Stop after the summary' },
  force: { type: 'boolean', description: 'Replace an existing configuration file' },
  help: { type: 'boolean', alias: 'h', description: 'Show this text' },
  version: { type: 'boolean', alias: 'v', description: 'Show the version' },
} as const satisfies Record<string, OptionDef>

export type OptionName = keyof typeof OPTIONS

/** Offered by every command. */
export const COMMON_OPTIONS = ['format', 'config', 'help', 'version'] as const satisfies readonly OptionName[]

/** Offered by every command that asks for a metric. */
export const QUERY_OPTIONS = ['dimension', 'filter', 'granularity', 'segment', 'compare'] as const satisfies readonly OptionName[]

/** Definition of an option, or undefined for a name that no command has. */
export function optionNamed(name: string): OptionDef | undefined {
  return Object.hasOwn(OPTIONS, name) ? OPTIONS[name as OptionName] : undefined
}
