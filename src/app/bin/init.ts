import { randomUUID } from 'node:crypto'
import { access, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { AppError } from '../../core/errors.ts'
import { readAddress } from '../../databases/addresses/read-address.ts'
import { UsageError } from '../../facades/cli/command.ts'
import type { FirstLook, InitOptions, InitReport } from '../../facades/cli/product.ts'
import { composeStore } from '../compose.ts'
import { FALLBACK, fallbackAddress } from '../config/addresses.ts'
import { type ConfigInputs, loadConfig, loadStoreConfig, starterFile } from '../config/config.ts'
import { absoluteUrl } from '../config/places.ts'
import type { ProcessInputs } from '../config/process-inputs.ts'
import { type Discovered, discover, firstAnswers } from './first-look.ts'

/** Only the owner can read or write the file, because the database address may contain a password. */
const PRIVATE = 0o600

/** Inspects the database if one is named, writes the file and migrates the side store. Then runs the checks and asks for MRR. */
export async function initialise(inputs: ProcessInputs, options: InitOptions): Promise<InitReport> {
  const path = resolve(inputs.cwd, options.config ?? 'plumbline.toml')
  if (!options.dryRun && !options.force) await refuseExisting(path)
  const named = options.url ?? fallbackOf(inputs)
  if (named === undefined) refuseWithoutAddress(options)
  const discovered = named === undefined ? undefined : await discover(inputs, named, options)
  if (options.dryRun) return { steps: [], found: discovered === undefined ? null : await lookWithoutFile(inputs, discovered) }
  const values = discovered === undefined ? namedTenants(inputs) : valuesFor(path, discovered, inputs, options)
  await write(path, starterFile([], { values, full: options.full }), options.force)
  const steps = [`Wrote ${path}${holdsPassword(options.url) ? '; only you can read it, because it contains a password' : ''}`]
  if (options.url === undefined && named !== undefined)
    steps.push(`The address of the billing database comes from ${FALLBACK}, so the file does not contain it`)
  try {
    steps.push(await prepareStore({ ...inputs, config: path }))
  } catch (error) {
    // Removes the new file, so that the user can fix the store and run the same command again. A file that existed before stays.
    if (!options.force) await rm(path, { force: true })
    throw error
  }
  return { steps, found: discovered === undefined ? null : await look(loadConfig({ ...inputs, config: path }), discovered) }
}

// PLUMBLINE_DATABASE_URL overrides DATABASE_URL.
function fallbackOf({ environment }: ProcessInputs): string | undefined {
  return (environment['PLUMBLINE_DATABASE_URL'] ?? '') === '' ? fallbackAddress({ environment }) : undefined
}

// These options choose something in a database, so they need its address.
function refuseWithoutAddress({ tenant, baseCurrency, dryRun }: InitOptions): void {
  const given = Object.entries({ tenant, 'base-currency': baseCurrency, 'dry-run': dryRun || undefined })
  const problems = given.flatMap(([name, value]) =>
    value === undefined
      ? []
      : [`option --${name} needs the address of a database: plumbline init postgres://… (or mysql://…, trino://…)`],
  )
  if (problems.length > 0) throw new UsageError(problems)
}

// A relative path in the option starts at the working directory. A relative path in the file starts at the folder of the file.
function valuesFor(path: string, { values }: Discovered, { cwd }: ProcessInputs, { url }: InitOptions): Discovered['values'] {
  const { 'database.url': _, ...others } = values
  if (url === undefined) return others
  return { ...values, 'database.url': dirname(path) === resolve(cwd) ? url : absoluteUrl(url, cwd) }
}

// Without an address the tenants are unknown, but those named in the environment are written to the file.
function namedTenants({ environment }: ProcessInputs): Discovered['values'] {
  const names = (environment['PLUMBLINE_CONNECTOR_TENANT'] ?? '').split(',').map((name) => name.trim())
  const tenants = names.filter((name) => name !== '')
  if (tenants.length === 0) return {}
  return { 'connector.tenant': tenants.length === 1 ? String(tenants[0]) : tenants }
}

function look(config: ReturnType<typeof loadConfig>, { seen }: Discovered): Promise<FirstLook> {
  return firstAnswers(config).then((answers) => ({ ...seen, ...answers }))
}

function lookWithoutFile(inputs: ProcessInputs, discovered: Discovered): Promise<FirstLook> {
  const options = { ...discovered.options, 'store.url': 'none' }
  return look(loadConfig({ ...inputs, config: null, options }), discovered)
}

async function prepareStore(inputs: ConfigInputs): Promise<string> {
  const store = composeStore(loadStoreConfig(inputs))
  try {
    if (!store.enabled) return 'The side store is off'
    await store.open()
    return 'Prepared the side store'
  } finally {
    await store.close()
  }
}

// Runs before the database is contacted, so that the refusal is immediate.
async function refuseExisting(path: string): Promise<void> {
  const exists = await access(path).then(
    () => true,
    () => false,
  )
  if (exists) throw new AppError('conflict', `${path} already exists. Use --force to replace it.`)
}

async function write(path: string, text: string, force: boolean): Promise<void> {
  try {
    if (force) await replace(path, text)
    else await writeFile(path, text, { flag: 'wx', mode: PRIVATE })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    throw new UsageError([`cannot write ${path} (${code})`])
  }
}

// Writes a new file and renames it: overwriting would keep the mode of the old file and disturb programs that read it.
async function replace(path: string, text: string): Promise<void> {
  const target = await realpath(path).catch(() => path)
  const draft = join(dirname(target), `.plumbline-${randomUUID()}.toml`)
  try {
    await writeFile(draft, text, { flag: 'wx', mode: PRIVATE })
    await rename(draft, target)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

function holdsPassword(url: string | undefined): boolean {
  const reading = url === undefined ? undefined : readAddress(url)
  return reading !== undefined && 'address' in reading && reading.address.password !== undefined
}
