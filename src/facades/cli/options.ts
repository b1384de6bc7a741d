import type { BooleanArgDef, StringArgDef } from 'citty'
import { SCOPES } from '../../core/auth.ts'
import { ALL_PARAMETERS, type ParameterDefinition, type ParameterOptionName, STEP_TEXTS } from '../presentation/parameters.ts'
import { FORMATS } from './output.ts'

/** An option of the command line. A `repeatable` option collects its values. */
export type OptionDef = ((StringArgDef & { readonly type: 'string' }) | (BooleanArgDef & { readonly type: 'boolean' })) & {
  readonly alias?: string
  readonly repeatable?: true
  /** True if the value may begin with a dash. */
  readonly startsWithDash?: true
  /** All allowed values, if they are few. */
  readonly values?: readonly string[]
}

/** Options that are no parameter of a request: the command line handles them itself. */
const CLI_OPTIONS = {
  name: { type: 'string', valueHint: 'text', description: 'Name of the segment' },
  description: { type: 'string', valueHint: 'text', description: 'Description of the segment' },
  file: { type: 'string', valueHint: 'json', description: 'JSON file with the definition of the segment' },
  scope: {
    type: 'string',
    valueHint: SCOPES.join('|'),
    description: 'Scope of the key; may be repeated; default: read',
    repeatable: true,
  },
  'expires-at': { type: 'string', valueHint: 'date', description: 'Date on which the key expires; default: never' },
  as: { type: 'string', valueHint: 'seen|no_error', description: 'Seen, or no error, which leaves the sums' },
  note: { type: 'string', valueHint: 'text', description: 'Why, in up to 200 characters' },
  chart: { type: 'string', valueHint: 'id', description: 'Id of a saved chart, whose rows become a feed' },
  fixed: { type: 'boolean', description: 'The link shows the numbers of now, without customers' },
  names: { type: 'boolean', description: 'The link shows customers' },
  'actor-id': { type: 'string', valueHint: 'id', description: 'Only events of this actor' },
  action: { type: 'string', valueHint: 'name', description: 'Only events with this action, such as key.create' },
  outcome: { type: 'string', valueHint: 'ok|refused|failed', description: 'Only events with this outcome' },
  'id-column': {
    type: 'string',
    valueHint: 'name',
    description: 'Column that identifies the customer; default: customer_id, external or email',
  },
  'id-kind': {
    type: 'string',
    valueHint: 'id|external|email',
    description: 'Kind of identifier in that column; default: by the name of the column',
  },
  separator: {
    type: 'string',
    valueHint: 'comma|semicolon|tab',
    description: 'Separator of the cells, as a word or a character; default: detected from the first line',
  },
  encoding: {
    type: 'string',
    valueHint: 'utf-8|utf-16le|utf-16be|windows-1252',
    description: 'Encoding of the file; default: by its byte order mark, else UTF-8',
  },
  metric: { type: 'string', valueHint: 'name', description: 'Name of a metric' },
  source: { type: 'string', valueHint: 'name', description: 'Type of the sources, such as quickbooks' },
  since: {
    type: 'string',
    valueHint: 'date',
    description: 'Skip everything dated before this day; default: none',
  },
  from: { type: 'string', valueHint: 'set', description: 'Definition set at which the bridge begins' },
  to: {
    type: 'string',
    valueHint: 'currency',
    description: 'Currency to convert euro rates into; default: the base currency',
  },
  'bridge-step': {
    type: 'string',
    valueHint: 'option',
    description: `${STEP_TEXTS.bridge_step}. With --from and --to`,
  },
  mail: {
    type: 'string',
    valueHint: 'address',
    description: 'Mail the briefing to this address; may be repeated. Needs mail.url, mail.from and mail.domains',
    repeatable: true,
  },
  slack: { type: 'boolean', description: 'Post the briefing to Slack. Needs slack.webhook' },
  lenient: { type: 'boolean', description: 'Exit with 0 even if the import leaves something out' },
  latest: { type: 'boolean', description: 'Only the newest rate of each pair' },
  format: {
    type: 'string',
    valueHint: FORMATS.join('|'),
    description: 'Format of the result; default: by the extension of the --output file, else text',
  },
  json: { type: 'boolean', description: 'Short for --format json' },
  output: {
    type: 'string',
    alias: 'o',
    valueHint: 'file',
    description: 'Write the result to a file instead of standard output',
  },
  out: { type: 'string', valueHint: 'directory', description: 'Directory of the files' },
  config: {
    type: 'string',
    valueHint: 'file',
    description: 'Configuration file; default: plumbline.toml here, in a parent or in the home directory',
  },
  host: { type: 'string', valueHint: 'name', description: 'Address to listen on' },
  port: { type: 'string', valueHint: 'number', description: 'Port to listen on' },
  explain: {
    type: 'boolean',
    description: 'Show how the answer was made: where it was read, its statements, and what it leaves out',
  },
  'fail-above': {
    type: 'string',
    valueHint: 'cents',
    description: 'Exit with 5 if more than these cents are at stake: a month of open findings, all days of closed ones',
  },
  check: { type: 'string', valueHint: 'name', description: 'Only this check; may be repeated', repeatable: true },
  'time-limit': {
    type: 'string',
    valueHint: 'seconds',
    description: 'Time for all checks together, from 1 to 600; default: 120. Parts for which it is too short are not checked',
  },
  cross: { type: 'boolean', description: 'Compare answers from the cache with answers from the database' },
  demo: {
    type: 'boolean',
    description: 'Use the sample data instead of your database; the next word may name the billing engine of the data',
  },
  last: {
    type: 'string',
    valueHint: '12m|30d|4w|2q|1y',
    description: 'Range of this many days, weeks, months, quarters or years, the current one included, up to today',
  },
  ytd: { type: 'boolean', description: 'Range from the first day of the year to today' },
  forecast: {
    type: 'boolean',
    description: 'Count days after today, with what the billing database already states about them',
  },
  rest: { type: 'boolean', description: 'With --limit, add one row for everything not shown' },
  open: { type: 'boolean', description: 'Open the dashboard in a browser' },
  once: { type: 'boolean', description: 'Stop after the summary' },
  interactive: { type: 'boolean', description: 'Serve on a terminal; elsewhere stop after the summary' },
  tenant: {
    type: 'string',
    valueHint: 'name',
    description: 'Tenants by external key or id, separated by commas, or all; default: the only tenant',
  },
  'base-currency': {
    type: 'string',
    valueHint: 'currency',
    description: 'Currency of all totals; default: the currency of most customers',
  },
  full: { type: 'boolean', description: 'Write every setting with its default and meaning' },
  'dry-run': { type: 'boolean', description: 'Only look; write nothing' },
  connector: {
    type: 'string',
    valueHint: 'type',
    description: 'Type of the connector whose tables are read; default: the first one',
  },
  dialect: { type: 'string', valueHint: 'postgres|mysql|mariadb', description: 'Kind of billing database' },
  user: { type: 'string', valueHint: 'name', description: 'Name of the read-only role' },
  tables: {
    type: 'string',
    valueHint: 'names',
    description: 'Only the grants on these tables, separated by commas',
    repeatable: true,
  },
  database: {
    type: 'string',
    valueHint: 'name',
    description: 'Name of the billing database; default: the usual name',
  },
  schema: {
    type: 'string',
    valueHint: 'name',
    description: 'Schema of the billing tables on PostgreSQL; default: public',
  },
  force: { type: 'boolean', description: 'Replace an existing configuration file' },
  help: { type: 'boolean', alias: 'h', description: 'Show this help' },
  version: { type: 'boolean', alias: 'v', description: 'Show the version' },
} as const satisfies Record<string, OptionDef>

/** Fields of lists as options: `--plan-id pro` sets the parameter `plan_id`. */
const LIST_OPTIONS = {
  status: { type: 'string', valueHint: 'word', description: 'Only rows with this status; may be repeated', repeatable: true },
  currency: { type: 'string', valueHint: 'code', description: 'Only rows in this currency; may be repeated', repeatable: true },
  country: { type: 'string', valueHint: 'code', description: 'Only rows from this country; may be repeated', repeatable: true },
  class: { type: 'string', valueHint: 'name', description: 'Only findings of this class; may be repeated', repeatable: true },
  state: { type: 'string', valueHint: 'open|closed', description: 'Only findings in this state', repeatable: true },
  kind: { type: 'string', valueHint: 'name', description: 'Only notices of this kind; may be repeated', repeatable: true },
  mark: { type: 'string', valueHint: 'none|seen|no_error', description: 'Only those with this mark, or none', repeatable: true },
  term: {
    type: 'string',
    valueHint: 'contract|monthly',
    description: 'Only contracts: fixed terms, and billed periods of more than a month; or only the others',
  },
  age: {
    type: 'string',
    valueHint: '0-30|31-60|61-90|over-90',
    description: 'Only invoices that have been open for so many days; may be repeated',
    repeatable: true,
  },
  'plan-id': { type: 'string', valueHint: 'name', description: 'Only rows on this plan; may be repeated', repeatable: true },
  'product-name': {
    type: 'string',
    valueHint: 'name',
    description: 'Only rows of this product; may be repeated',
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

/** Every option of every command, by name without dashes. A command may have its own text for one. */
export const OPTIONS: ReadonlyMap<string, OptionDef> = new Map([
  ...PARAMETER_OPTIONS.map(({ option, def }) => [option, withValues(def)] as const),
  ...Object.entries<OptionDef>(LIST_OPTIONS).map(([name, def]) => [name, withValues(def)] as const),
  ...Object.entries<OptionDef>(CLI_OPTIONS).map(([name, def]) => [name, withValues(def)] as const),
])

// A hint such as `a|b` lists all allowed values.
function withValues(def: OptionDef): OptionDef {
  if (def.type === 'boolean' || def.values !== undefined || def.valueHint?.includes('|') !== true) return def
  return { ...def, values: def.valueHint.split('|') }
}

/** The parameter that an option sets; undefined for an option that the command line handles itself. */
export function parameterOf(option: OptionName): string | undefined {
  if (Object.hasOwn(LIST_OPTIONS, option)) return option.replaceAll('-', '_')
  return PARAMETER_OPTIONS.find((entry) => entry.option === option)?.parameter
}

/** The option that sets a parameter; undefined if there is none. */
export function optionOf(parameter: string): OptionName | undefined {
  return PARAMETER_OPTIONS.find((entry) => entry.parameter === parameter)?.option
}

/** The option that filters by a field of a list; undefined if there is none. */
export function optionOfField(field: string): OptionName | undefined {
  const name = field.replaceAll('_', '-')
  return Object.hasOwn(LIST_OPTIONS, name) ? (name as ListOptionName) : undefined
}

/** Options without a value that set a parameter to `true`. */
export const FLAG_OPTIONS = ['rest', 'forecast'] as const satisfies readonly OptionName[]

/** The options of a command that takes these parameters. */
export function optionsOf(parameters: readonly string[]): readonly OptionName[] {
  return parameters.flatMap((parameter) => optionOf(parameter) ?? FLAG_OPTIONS.find((name) => name === parameter) ?? [])
}

/** Options of every command. */
export const COMMON_OPTIONS = [
  'format',
  'json',
  'output',
  'config',
  'demo',
  'help',
  'version',
] as const satisfies readonly OptionName[]

/** Named ranges. Each replaces --start and --end. */
export const RANGE_OPTIONS = ['range', 'last', 'ytd'] as const satisfies readonly OptionName[]

/** The options of these parameters without those of every command. A range has the short forms, too. */
export function queryOptionsOf(parameters: readonly ParameterDefinition[]): readonly OptionName[] {
  return [...parameters.flatMap(({ name }) => (name === 'range' ? RANGE_OPTIONS : optionsOf([name]))), 'explain' as const].filter(
    (option) => !COMMON_OPTIONS.some((common) => common === option),
  )
}

/** The text of `--to` in commands about a bridge. */
export const STEP_OPTION_TEXTS = { to: { valueHint: 'set', description: 'Definition set at which the bridge ends' } } as const

/** Options of every command that answers a metric. */
export const QUERY_OPTIONS = [
  'dimension',
  'filter',
  'granularity',
  'segment',
  'compare',
  'money',
  'definitions',
  'explain',
] as const satisfies readonly OptionName[]
