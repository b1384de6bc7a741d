import { stringify } from 'smol-toml'
import type { ConnectorDefinition } from '../../connector-kit/definition.ts'
import { groupBy } from '../../core/group-by.ts'
import { isObject } from '../../core/json.ts'
import { PLATFORM_SECTIONS } from '../built-in.ts'
import { SECTION_NAMES, type Setting, settingsOf } from './settings.ts'

const HEADING: Readonly<Record<string, string | undefined>> = {
  ...Object.fromEntries(Object.entries(PLATFORM_SECTIONS).map(([name, { description }]) => [name, description])),
  database: 'The billing database.',
  connector: 'The billing engine that writes it.',
  store: 'The side store: everything that Plumbline writes. It never writes to the billing database.',
  fx: 'Exchange rates.',
  definitions: 'Definitions of the metrics.',
  server: 'The HTTP service.',
  limits: 'Limits that protect the database and this process.',
  replica: 'Requirements for the billing database.',
  lake: 'The lake: how Trino answers, if the billing database is on Trino (docs/configuration.md).',
  cache: 'The cache: rows of the billing database in this process, updated before each answer.',
  log: 'The log of the service on stderr, one line per entry.',
  auth: 'Authentication (docs/authentication.md).',
  clock: 'The current time.',
}

const EXAMPLES: Readonly<Record<string, string>> = {
  'database.url':
    '"postgres://plumbline:password@replica.example.com:5432/billing?sslmode=verify-full&sslrootcert=authority.crt"',
  'database.schema': '"billing"',
  'database.token_file': '"/run/secrets/trino_token"',
  'store.workspace': '"acme"',
  'definitions.base_currency': '"USD"',
  'server.public_origin': '"https://plumbline.example.com"',
  'server.probe_port': '8001',
  'lake.next_uri_origin': '"https://trino.internal:8443"',
  'lake.every_minutes': '60',
  'lake.max_age_minutes': '120',
  'lake.schema': '"lake.plumbline"',
  'lake.publish_url': '"trino://plumbline_writer@trino.example.com/lake/billing"',
  'lake.publish_token_file': '"/run/secrets/trino_writer_token"',
  'lake.databases': '[{ name = "eu", schema = "billing_eu" }, { name = "us", schema = "billing_us" }]',
  'cache.directory': '"/var/cache/plumbline"',
  'log.format': '"json"',
  'auth.oidc_issuer': '"https://id.example.com"',
  'auth.oidc_audience': '"https://plumbline.example.com"',
  'auth.oidc_client_id': '"plumbline"',
  'clock.now': '2025-03-31T12:00:00Z',
}

/** Values of a new file by setting name. */
export type StarterValues = Readonly<Record<string, string | readonly string[]>>

/** The settings of a short file, even without a value. `connector.tenant` is left out if there are other settings of the connector. */
const ESSENTIAL = ['database.url', 'connector.tenant', 'definitions.base_currency']

/** Text of a short `plumbline.toml` with the essential settings. Settings without a value are commented out, with an example. */
export function shortFile(connectors: readonly ConnectorDefinition[], values: StarterValues): string {
  const namesConnector = Object.keys(values).some((name) => name.startsWith('connector.'))
  const isShown = ({ name, section }: Setting) =>
    values[name] !== undefined || (ESSENTIAL.includes(name) && !(section === 'connector' && namesConnector))
  const blocks = [...groupBy(settingsOf(connectors).filter(isShown), ({ section }) => section)].map(([section, settings]) =>
    [`[${section}]`, ...settings.map((setting) => shortLine(setting, values[setting.name]))].join('\n'),
  )
  return `${blocks.join('\n\n')}\n`
}

function shortLine(setting: Setting, value: string | readonly string[] | undefined): string {
  return value === undefined ? `# ${setting.key} = ${exampleOf(setting)}` : assignment(setting, value)
}

/** Text of a full `plumbline.toml`: every setting with its default and meaning. Settings without a value are commented out. */
export function starterFile(connectors: readonly ConnectorDefinition[], values: StarterValues = {}): string {
  const all = settingsOf(connectors)
  const intro = [
    '# Configuration of Plumbline. Command-line options override the environment, and the environment overrides this file.',
    '# Relative paths start at the folder of this file.',
  ]
  const blocks = SECTION_NAMES.map((section) => {
    const settings = all.filter((setting) => setting.section === section)
    return [
      `# ${HEADING[section] ?? ''}`,
      `[${section}]`,
      ...settings.flatMap((setting) => settingLines(setting, values[setting.name])),
    ].join('\n')
  })
  return `${[intro.join('\n'), ...blocks].join('\n\n')}\n`
}

function settingLines(setting: Setting, value: string | readonly string[] | undefined): string[] {
  if (value !== undefined) return ['', `# ${setting.description}. ${setting.environment}`, assignment(setting, value)]
  const shown = setting.preset === undefined ? exampleOf(setting) : JSON.stringify(setting.preset)
  const note = setting.preset === undefined ? ' (no default; this is an example)' : ''
  return ['', `# ${setting.description}${note}. ${setting.environment}`, `# ${setting.key} = ${shown}`]
}

function assignment({ key }: Setting, value: string | readonly string[]): string {
  return stringify({ [key]: value }).trimEnd()
}

function exampleOf({ name, example }: Setting): string {
  return EXAMPLES[name] ?? (example === undefined ? '""' : inline(example))
}

// JSON is also TOML, except for objects.
function inline(value: unknown): string {
  if (!isObject(value)) return JSON.stringify(value)
  return `{ ${Object.entries(value)
    .map(([key, inner]) => `${JSON.stringify(key)} = ${inline(inner)}`)
    .join(', ')} }`
}
