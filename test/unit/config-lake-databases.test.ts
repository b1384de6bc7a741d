import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { killbill } from '../../connectors/killbill/index.ts'
import { createLagoConnector } from '../../connectors/lago/index.ts'
import { composeConnector, composeDatabases } from '../../src/app/compose-connector.ts'
import { loadConfig } from '../../src/app/config/config.ts'
import { identityOf } from '../../src/app/config/identity.ts'
import type { LakeDatabase } from '../../src/cache/lake/databases/database.ts'
import { severalDatabases } from '../../src/cache/lake/databases/several.ts'
import { BOOKS } from '../../src/connector-kit/capabilities.ts'
import { ConfigurationError } from '../../src/core/errors.ts'

const STORE = '[store]\nworkspace = "acme"\n'
const DATABASE = `[database]\nurl = "trino://reader@localhost:8080/lake"\n${STORE}`
const LAKE = '[lake]\nschema = "lake.plumbline"\n'
const EU = '[[lake.databases]]\nname = "eu"\nschema = "billing_eu"\ntenant = ["acme"]\ncatalog = ["eu.xml"]\n'
const US = '[[lake.databases]]\nname = "us-2"\nschema = "pg_us.public"\n'

let root: string
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'plumbline-databases-'))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

function load(text: string, environment: Readonly<Record<string, string>> = {}) {
  const file = join(root, 'plumbline.toml')
  writeFileSync(file, text)
  return loadConfig({ environment, cwd: root, home: root, config: file })
}

function problems(text: string, environment: Readonly<Record<string, string>> = {}): readonly string[] {
  try {
    load(text, environment)
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems
    throw error
  }
  throw new Error('expected a ConfigurationError')
}

describe('several billing databases', () => {
  it('have their own schema and the settings of their connector', () => {
    const config = load(DATABASE + LAKE + EU + US)
    expect(config.lake.databases).toEqual([
      {
        name: 'eu',
        schema: 'billing_eu',
        tenant: ['acme'],
        catalog: [join(root, 'eu.xml')],
        cancel_reason_field: 'cancel_reason',
      },
      { name: 'us-2', schema: 'pg_us.public', cancel_reason_field: 'cancel_reason' },
    ])
    expect(composeDatabases(config, killbill)?.map(({ name, number, place }) => [name, number, place])).toEqual([
      ['eu', 0, { catalog: 'lake', schema: 'billing_eu' }],
      ['us-2', 1, { catalog: 'pg_us', schema: 'public' }],
    ])
  })

  it('have one connector, which lacks what a publication does not hold', () => {
    const { capabilities } = composeConnector(load(DATABASE + LAKE + EU + US))
    const { capabilities: ofOne } = composeConnector(load('[database]\nurl = "postgres://u@db/kb"\n'))
    const lost = Object.keys(ofOne).filter((name) => ofOne[name] !== capabilities[name])
    expect(lost.sort()).toEqual([
      'billed_invoice',
      'billing_evidence',
      'billing_notice',
      'billing_term',
      'change_instant',
      'invoice_subscription',
      'ledger_attempt',
      'ledger_payer',
      'listed_plan',
      'overdue_stretch',
    ])
    expect(lost.map((name) => capabilities[name])).toEqual(lost.map(() => 'absent'))
  })

  it('lack what the cache of their connector leaves to the billing database', () => {
    const lago = createLagoConnector({ organization: ['all'] })
    const of = (connector: typeof lago) =>
      severalDatabases(['eu', 'us'].map((name, number) => ({ name, number, connector }) as unknown as LakeDatabase)).capabilities
    expect(BOOKS.filter((name) => of(lago)[name] === 'absent')).toEqual([])
    const { mirror } = lago
    if (mirror === undefined) throw new Error('the connector has no mirror')
    const capabilities = of({ ...lago, mirror: { ...mirror, straight: BOOKS } })
    expect(BOOKS.map((name) => [lago.capabilities[name] === 'absent', capabilities[name]])).toEqual(
      BOOKS.map(() => [false, 'absent']),
    )
    expect(capabilities['usage_charge']).not.toBe('absent')
  })

  it('are a part of the identity of a process, in their order', () => {
    const installed = { version: '1', build: '' }
    const identities = [EU + US, US + EU, EU].map(
      (databases) => identityOf(load(DATABASE + LAKE + databases), installed)['database'],
    )
    expect(new Set(identities).size).toBe(3)
  })

  it.each([
    ['a name twice', LAKE + EU + EU, 'lake.databases: two databases have the name "eu"'],
    ['no name', `${LAKE}[[lake.databases]]\nschema = "a"\n`, /item 1 needs a name/],
    ['no schema', `${LAKE}${EU}[[lake.databases]]\nname = "us"\n`, /item 2 needs a schema/],
    [
      'a name of other characters',
      `${LAKE}[[lake.databases]]\nname = "eu/west"\nschema = "a"\n`,
      /item 1 has a name that is not of/,
    ],
    [
      'a schema of other characters',
      `${LAKE}[[lake.databases]]\nname = "eu"\nschema = "a b"\n`,
      /item 1 has a schema that is not/,
    ],
    [
      'a setting that the connector lacks',
      `${LAKE}${EU}tenants = ["x"]\n`,
      /lake\.databases: eu: tenants: the connector "killbill" has no such/,
    ],
    [
      'a setting of another type',
      `${LAKE}${EU}kaui_url = "kaui"\n`,
      /lake\.databases: eu: kaui_url: must be an absolute address/,
    ],
    [
      'settings of the connector beside',
      `${LAKE}${EU}[connector]\ntenant = ["acme"]\n`,
      /^connector\.tenant: with lake\.databases, each database has its own/,
    ],
    ['no schema for publications', EU, /^lake\.databases: needs lake\.schema/],
    ['straight answers', `${LAKE}straight = true\n${EU}`, /^lake\.straight: is not possible with lake\.databases/],
    [
      'another writer with a schema',
      `${LAKE}publish_url = "trino://w@localhost/lake/billing"\n${EU}`,
      /^lake\.publish_url: must not name a schema/,
    ],
    ['no database', `${LAKE}databases = []\n`, /must name a database/],
    ['names instead of sections', `${LAKE}databases = ["eu"]\n`, /item 1 must be a section \[\[lake\.databases\]\]/],
  ])('are refused with %s', (_case, text, expected) => {
    expect(problems(DATABASE + text)).toEqual([expect.stringMatching(expected)])
  })

  it('take the place of the schema in the address, and need Trino', () => {
    const withSchema = `[database]\nurl = "trino://reader@localhost:8080/lake/billing"\n${STORE}`
    expect(problems(withSchema + LAKE + EU)).toEqual([expect.stringMatching(/^database\.url: must not name a schema/)])
    expect(problems(`${DATABASE.replace(STORE, '')}schema = "billing"\n${STORE}${LAKE}${EU}`)).toEqual([
      expect.stringMatching(/^database\.schema: must not name/),
    ])
    expect(problems(DATABASE.replace(STORE, '') + LAKE + EU)).toEqual([expect.stringMatching(/^store\.workspace: needed with/)])
    expect(load(`${DATABASE.replace(STORE, '')}[store]\nurl = "none"\n${LAKE}${EU}`).lake.databases).toHaveLength(1)
    expect(problems(`[database]\nurl = "postgres://u@db/kb"\n${LAKE}${EU}`)).toEqual([expect.stringMatching(/need Trino/)])
    expect(problems(DATABASE + LAKE)).toEqual([expect.stringMatching(/^database\.url: does not name a catalog and a schema/)])
  })

  it('are sections of the file, and no list of a variable', () => {
    expect(problems(DATABASE + LAKE, { PLUMBLINE_LAKE_DATABASES: 'eu,us' })).toEqual(
      expect.arrayContaining([expect.stringMatching(/PLUMBLINE_LAKE_DATABASES.*must be a section \[\[lake\.databases\]\]/)]),
    )
  })
})
