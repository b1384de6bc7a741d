import { tmpdir } from 'node:os'
import { expect, it } from 'vitest'
import { BUILT_IN_CONNECTORS } from '../../src/app/built-in.ts'
import { type Config, loadConfig } from '../../src/app/config/config.ts'
import { identityOf } from '../../src/app/config/identity.ts'
import { settingsOf } from '../../src/app/config/settings.ts'

const INSTALLED = { version: '1', build: 'one' }
/** Settings that change no answer: what a process needs to listen, to wait, to keep and to write. */
const WITHOUT_EFFECT = [
  ...['store.secret_key', 'fx.ecb_url', 'setup.done', 'server', 'cache', 'log', 'auth', 'quickbooks', 'mail', 'slack', 'share'],
  ...['every_minutes', 'keep', 'look_every_seconds', 'max_skew_seconds', 'next_uri_origin', 'parallel'].map(
    (name) => `lake.${name}`,
  ),
  ...['fault_tolerant', 'publish_url', 'publish_token_file', 'scan_limit_gb', 'step_timeout_seconds'].map(
    (name) => `lake.${name}`,
  ),
  ...['statement_timeout_ms', 'pool_size', 'queue_size', 'queue_ms', 'session_memory_mb', 'max_csv_bytes', 'issues'].map(
    (name) => `limits.${name}`,
  ),
]

const configOf = (url = 'postgres://reader:first@db.example.com/kb') =>
  loadConfig({ environment: {}, cwd: tmpdir(), home: undefined, config: null, options: { 'database.url': url } })

/** The names of the digests that differ between these two configurations. */
function differences(one: Config, other: Config): readonly string[] {
  const [mine, theirs] = [identityOf(one, INSTALLED), identityOf(other, INSTALLED)]
  expect(Object.keys(theirs)).toEqual(Object.keys(mine))
  return Object.keys(mine).filter((name) => mine[name] !== theirs[name])
}

const config = configOf()
const settings = settingsOf(BUILT_IN_CONNECTORS)

it.each(settings.map(({ name, section, key }) => [name, section, key] as const))(
  'differs with %s if an answer depends on it',
  (name, section, key) => {
    const before: Readonly<Record<string, unknown>> = { ...(config as unknown as Record<string, object>)[section] }
    const changed = { ...config, [section]: { ...before, [key]: 'changed' } } as unknown as Config
    const isWithout = WITHOUT_EFFECT.includes(section) || WITHOUT_EFFECT.includes(name)
    // Several databases are the place of the billing tables.
    const digest = name === 'lake.databases' ? 'database' : section
    expect(differences(config, changed)).toEqual(isWithout ? [] : [digest])
  },
)

it('differs with the version and the build', () => {
  const identity = identityOf(config, INSTALLED)
  expect(identityOf(config, { ...INSTALLED, version: '2' })).toEqual({ ...identity, version: '2' })
  const other = identityOf(config, { ...INSTALLED, build: 'two' })
  expect(other).toEqual({ ...identity, build: other['build'] })
  expect(other['build']).not.toBe(identity['build'])
})

it('is the same for another password and for another way of encryption, and shows neither', () => {
  for (const url of ['postgres://reader:second@db.example.com/kb', 'postgres://reader:first@db.example.com/kb?sslmode=require'])
    expect(differences(config, configOf(url)), url).toEqual([])
  expect(differences(config, configOf('postgres://another:first@db.example.com/kb'))).toEqual(['database'])
  expect(JSON.stringify(identityOf(config, INSTALLED))).not.toContain('first')
})
