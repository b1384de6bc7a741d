import type { DiscoveredSource } from '../../connector-kit/definition.ts'
import { redact } from '../../core/addresses.ts'
import { AppError, ConfigurationError } from '../../core/errors.ts'
import { isObject } from '../../core/json.ts'
import { formatAmount } from '../../facades/presentation/cells.ts'
import { tableLines } from '../../facades/presentation/text-table.ts'
import { composeEngine } from '../compose.ts'
import { type ConfigInputs, loadConfig } from '../config/config.ts'
import type { SettingName } from '../config/settings.ts'

/** Most tenants that the refusal lists, the largest first. */
const MOST_LISTED = 20
/** Longest time of a statement of this look. MRR is a help here, and the list does not need it. */
const LOOK_MS = 10_000

interface Choice {
  /** The setting of the connector's type, and the one of its sources. */
  readonly connector: Readonly<Record<string, string>>
  readonly setting: SettingName
  readonly inputs: ConfigInputs
  readonly url: string
  /** True if the user gave the address as an argument. Otherwise it comes from the environment. */
  readonly isArgument: boolean
  readonly sources: readonly DiscoveredSource[]
}

/** The refusal of `init` to choose a tenant: each tenant with its customers and MRR, and the command to run. */
export async function choiceOfTenant(choice: Choice): Promise<ConfigurationError> {
  const { url, isArgument, sources } = choice
  const largest = [...sources].sort((a, b) => b.customers - a.customers)
  const listed = largest.slice(0, MOST_LISTED)
  const others = largest.slice(MOST_LISTED)
  const mrr = await mrrOf(listed, choice)
  const columns = [
    { title: 'tenant', align: 'left' },
    { title: 'customers', align: 'right' },
    { title: 'MRR', align: 'left' },
  ] as const
  const rows = listed.map(({ name, word, id, customers }) => [
    word === name ? name : `${name} (--tenant ${word})`.trim(),
    String(customers),
    mrr.texts.get(id) || (mrr.reason === undefined ? '0' : 'unknown'),
  ])
  const left = others.reduce((sum, { customers }) => sum + customers, 0)
  const text = [
    `the database has ${sources.length} tenants; choose with --tenant: one name, several separated by commas, or "all"`,
    ...tableLines(columns, rows).map((line) => `  ${line}`),
    ...(others.length === 0 ? [] : [`  … and ${others.length} more with ${left} customers`]),
    ...(mrr.reason === undefined ? mrr.notes : [`MRR is unknown: ${mrr.reason}`]),
    `To serve the largest one, run${redact(url) === url || !isArgument ? '' : ', with the password in place of ***'}:`,
    `  plumbline init ${isArgument ? `${quoted(redact(url))} ` : ''}--tenant ${quoted(listed[0]?.word ?? '')}`,
  ]
  return new ConfigurationError([text.join('\n')])
}

interface KnownMrr {
  /** MRR by source, each currency with its amount. */
  readonly texts: ReadonlyMap<string, string>
  /** The reason why MRR is not known. */
  readonly reason?: string
  /** Sentences about plans that MRR leaves out. */
  readonly notes: readonly string[]
}

// By currency, MRR needs no exchange rates (D14).
async function mrrOf(listed: readonly DiscoveredSource[], { inputs, url, connector, setting }: Choice): Promise<KnownMrr> {
  const options = {
    'database.url': url,
    ...connector,
    [setting]: listed.map(({ id }) => id),
    'store.url': 'none',
    'cache.mode': 'off',
  }
  const config = loadConfig({ ...inputs, config: null, options })
  const limits = { ...config.limits, statement_timeout_ms: Math.min(LOOK_MS, config.limits.statement_timeout_ms) }
  const definitions = { ...config.definitions, allow_unpriced: true }
  const { engine } = composeEngine({ ...config, limits, definitions })
  try {
    const { data, meta } = await engine.query('mrr', {}, { dimensions: ['source_id', 'currency'] })
    const unpriced = meta.warnings.filter(({ code }) => code === 'unpriced_plan').map(({ message }) => message)
    const rows = (Array.isArray(data) ? data : []).filter(isObject)
    const textOf = (id: string) =>
      rows
        .filter((row) => row['source_id'] === id)
        .map(amountText)
        .join(', ')
    return { texts: new Map(listed.map(({ id }) => [id, textOf(id)])), notes: unpriced }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { texts: new Map(), reason: error.operatorDetail, notes: [] }
  } finally {
    await engine.close()
  }
}

function amountText({ currency, mrr }: Readonly<Record<string, unknown>>): string {
  return `${formatAmount(Number(mrr), String(currency))} ${currency}`
}

// For a POSIX shell.
function quoted(text: string): string {
  return /^[\w.-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}
