import { SECTION_NAMES, SETTINGS, type Setting } from './settings.ts'

const HEADING: Readonly<Record<string, string>> = {
  database: 'Where the billing data is.',
  connector: 'Which billing engine wrote it.',
  store: 'Where Plumbline keeps what it writes. It never writes to the billing database.',
  definitions: 'What the numbers mean.',
  server: 'The HTTP service.',
  limits: 'Bounds that protect the database and this process.',
  replica: 'What to expect of the billing database.',
  cache: 'The cache: rows of the billing database in this process, brought up to date before each answer.',
  auth: 'Reserved: accepted but without effect in this version.',
  quickbooks: 'Reserved: accepted but without effect in this version.',
  clock: 'The present.',
}

const EXAMPLES: Readonly<Record<string, string>> = {
  'database.url': '"postgres://plumbline:password@replica.example.com:5432/killbill"',
  'database.schema': '"killbill"',
  'connector.tenant': '["acme"]',
  'connector.catalog': '["catalog.xml"]',
  'definitions.base_currency': '"USD"',
  'cache.directory': '"/var/tmp"',
  'clock.now': '2025-03-31T12:00:00Z',
}

/** Text of a new `plumbline.toml`: every setting with its default and meaning, all of them commented out. */
export function starterFile(): string {
  const intro = [
    '# Configuration of Plumbline. A command-line option outranks the environment, the environment this file.',
    '# Relative directories and files count from the place of this file.',
  ]
  const blocks = SECTION_NAMES.map((section) => {
    const settings = SETTINGS.filter((setting) => setting.section === section)
    return [`# ${HEADING[section] ?? ''}`, `[${section}]`, ...settings.flatMap(settingLines)].join('\n')
  })
  return `${[intro.join('\n'), ...blocks].join('\n\n')}\n`
}

function settingLines(setting: Setting): string[] {
  const shown = setting.preset === undefined ? (EXAMPLES[setting.name] ?? '""') : JSON.stringify(setting.preset)
  const note = setting.preset === undefined ? ' (no default; an example)' : ''
  return ['', `# ${setting.description}${note}. ${setting.environment}`, `# ${setting.key} = ${shown}`]
}
