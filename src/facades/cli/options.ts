import type { BooleanArgDef, StringArgDef } from 'citty'
import { SCOPES } from '../../core/auth.ts'
import { ALL_PARAMETERS, type ParameterOptionName } from '../presentation/parameters.ts'
import { FORMATS } from './output.ts'

/** An option of the command line; `repeatable` ones collect their values. */
export type OptionDef = ((StringArgDef & { readonly type: 'string' }) | (BooleanArgDef & { readonly type: 'boolean' })) & {
  readonly alias?: string
  readonly repeatable?: true
  /** Its value may begin with a dash. */
  readonly startsWithDash?: true
  /** The values there are, where they are few. */
  readonly values?: readonly string[]
}

/** What no request carries: the command line acts on it itself. */
const CLI_OPTIONS = {
  name: {
    type: 'string',
    valueHint: 'text',
    description: 'Name of the segment or of the key',
  },
  description: {
    type: 'string',
    valueHint: 'text',
    description: 'What the segment is about',
  },
  file: {
    type: 'string',
    valueHint: 'json',
    description: 'File with the definition of the segment',
  },
  scope: {
    type: 'string',
    valueHint: SCOPES.join('|'),
    description: 'What the key may do; may be repeated, read if absent',
    repeatable: true,
  },
  'expires-at': {
    type: 'string',
    valueHint: 'date',
    description: 'From when on the key is refused; never if absent',
  },
  'actor-id': {
    type: 'string',
    valueHint: 'id',
    description: 'Only what this one did',
  },
  action: {
    type: 'string',
    valueHint: 'name',
    description: 'Only what is called so, such as key.create',
  },
  outcome: {
    type: 'string',
    valueHint: 'ok|refused|failed',
    description: 'Only what ended so',
  },
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
  separator: {
    type: 'string',
    valueHint: 'comma|semicolon|tab',
    description: 'What divides the cells of the file, as a word or the character; found by its first line if absent',
  },
  encoding: {
    type: 'string',
    valueHint: 'utf-8|utf-16le|utf-16be|windows-1252',
    description: 'Encoding of the file; that of its byte order mark if absent, else UTF-8',
  },
  source: {
    type: 'string',
    valueHint: 'name',
    description: 'Type of the sources, such as quickbooks; of a file the name of its books',
  },
  since: {
    type: 'string',
    valueHint: 'date',
    description: 'Leave out what is dated before this day; all if absent',
  },
  to: {
    type: 'string',
    valueHint: 'currency',
    description: 'Currency that euro rates are converted into; the base currency if absent',
  },
  lenient: {
    type: 'boolean',
    description: 'Exit code 0 although rows were rejected',
  },
  latest: { type: 'boolean', description: 'Only the newest rate of each pair' },
  format: {
    type: 'string',
    valueHint: FORMATS.join('|'),
    description: 'Form of the result; if absent by the ending of the file of --output, else text',
  },
  json: { type: 'boolean', description: 'The same as --format json' },
  output: {
    type: 'string',
    alias: 'o',
    valueHint: 'file',
    description: 'Write the result to a file instead of standard output',
  },
  config: {
    type: 'string',
    valueHint: 'file',
    description: 'Configuration file instead of plumbline.toml here, above or at home',
  },
  host: {
    type: 'string',
    valueHint: 'name',
    description: 'Address to listen on',
  },
  port: {
    type: 'string',
    valueHint: 'number',
    description: 'Port to listen on',
  },
  cross: { type: 'boolean', description: 'Compare answers from the cache with those of the database' },
  demo: {
    type: 'boolean',
    description: 'Answer on the sample data instead of a database of your own',
  },
  last: {
    type: 'string',
    valueHint: '12m|30d|4w|2q|1y',
    description: 'Range of so many whole days, weeks, months, quarters or years before the current one',
  },
  ytd: { type: 'boolean', description: 'Range from the first day of the year to today' },
  rest: { type: 'boolean', description: 'With --limit one more row for all that are not shown' },
  open: { type: 'boolean', description: 'Show the dashboard in a browser' },
  once: { type: 'boolean', description: 'Stop after the summary' },
  interactive: {
    type: 'boolean',
    description: 'Serve on a terminal, stop after the summary anywhere else',
  },
  tenant: {
    type: 'string',
    valueHint: 'name',
    description: 'Tenants by external key or id, separated by commas, or all; the only one if absent',
  },
  'base-currency': {
    type: 'string',
    valueHint: 'currency',
    description: 'Currency of the figures; that of most customers if absent',
  },
  full: {
    type: 'boolean',
    description: 'Write every setting with its default and meaning',
  },
  'dry-run': { type: 'boolean', description: 'Look, and write nothing' },
  dialect: {
    type: 'string',
    valueHint: 'postgres|mysql|mariadb',
    description: 'Kind of the billing database',
  },
  user: {
    type: 'string',
    valueHint: 'name',
    description: 'Role that is to read',
  },
  tables: {
    type: 'string',
    valueHint: 'names',
    description: 'Only the grants on these tables, separated by commas',
    repeatable: true,
  },
  database: {
    type: 'string',
    valueHint: 'name',
    description: 'Name of the billing database; the usual one if absent',
  },
  schema: {
    type: 'string',
    valueHint: 'name',
    description: 'Schema of its tables on PostgreSQL; public if absent',
  },
  force: {
    type: 'boolean',
    description: 'Replace an existing configuration file',
  },
  help: { type: 'boolean', alias: 'h', description: 'Show this text' },
  version: { type: 'boolean', alias: 'v', description: 'Show the version' },
} as const satisfies Record<string, OptionDef>

/** Fields of lists as options: `--plan-id pro` is the parameter `plan_id`. */
const LIST_OPTIONS = {
  status: {
    type: 'string',
    valueHint: 'word',
    description: 'Keep what has this status; may be repeated',
    repeatable: true,
  },
  currency: {
    type: 'string',
    valueHint: 'code',
    description: 'Keep what is in this currency; may be repeated',
    repeatable: true,
  },
  country: {
    type: 'string',
    valueHint: 'code',
    description: 'Keep what is from this country; may be repeated',
    repeatable: true,
  },
  'plan-id': {
    type: 'string',
    valueHint: 'name',
    description: 'Keep what is on this plan; may be repeated',
    repeatable: true,
  },
  'product-name': {
    type: 'string',
    valueHint: 'name',
    description: 'Keep what is of this product; may be repeated',
    repeatable: true,
  },
} as const satisfies Record<string, OptionDef>

type ListOptionName = keyof typeof LIST_OPTIONS

export type OptionName = keyof typeof CLI_OPTIONS | ListOptionName | ParameterOptionName

const PARAMETER_OPTIONS = ALL_PARAMETERS.flatMap(({ name, wire, option, type }) => {
  if (option === undefined) return []
  const { hint: valueHint, description } = option
  const values = type.available === undefined ? {} : { values: type.available }
  const def: OptionDef = {
    type: 'string',
    valueHint,
    description,
    ...values,
    ...(wire === 'once' ? {} : { repeatable: true }),
    ...(name === 'order' ? { startsWithDash: true } : {}),
  }
  return [{ parameter: name, option: option.name as ParameterOptionName, def }]
})

/** Every option of every command, by name without dashes. An option means the same wherever it is offered. */
export const OPTIONS: ReadonlyMap<string, OptionDef> = new Map([
  ...PARAMETER_OPTIONS.map(({ option, def }) => [option, withValues(def)] as const),
  ...Object.entries<OptionDef>(LIST_OPTIONS).map(([name, def]) => [name, withValues(def)] as const),
  ...Object.entries<OptionDef>(CLI_OPTIONS).map(([name, def]) => [name, withValues(def)] as const),
])

// A hint that lists words is all there is.
function withValues(def: OptionDef): OptionDef {
  if (def.type === 'boolean' || def.values !== undefined || def.valueHint?.includes('|') !== true) return def
  return { ...def, values: def.valueHint.split('|') }
}

/** Name of the parameter that an option gives; undefined for one of the command line's own. */
export function parameterOf(option: OptionName): string | undefined {
  if (Object.hasOwn(LIST_OPTIONS, option)) return option.replaceAll('-', '_')
  return PARAMETER_OPTIONS.find((entry) => entry.option === option)?.parameter
}

/** The option that gives a parameter; undefined where the command line has none. */
export function optionOf(parameter: string): OptionName | undefined {
  return PARAMETER_OPTIONS.find((entry) => entry.parameter === parameter)?.option
}

/** The option that gives a field of a list; undefined where the command line has none. */
export function optionOfField(field: string): OptionName | undefined {
  const name = field.replaceAll('_', '-')
  return Object.hasOwn(LIST_OPTIONS, name) ? (name as ListOptionName) : undefined
}

/** Offered by every command. */
export const COMMON_OPTIONS = [
  'format',
  'json',
  'output',
  'config',
  'demo',
  'help',
  'version',
] as const satisfies readonly OptionName[]

/** Ranges by name: any of them stands for the first and the last day. */
export const RANGE_OPTIONS = ['range', 'last', 'ytd'] as const satisfies readonly OptionName[]

/** Offered by every command that asks for a metric. */
export const QUERY_OPTIONS = [
  'dimension',
  'filter',
  'granularity',
  'segment',
  'compare',
  'money',
] as const satisfies readonly OptionName[]
