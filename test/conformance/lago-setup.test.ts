import { expect, it } from 'vitest'
import { lagoGrants } from '../../connectors/lago/grants.ts'
import { createProduct } from '../../src/app/bin/product.ts'
import { AppError } from '../../src/core/errors.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { copyOfNorth, sharedNorth, sharedNorthAndSouth } from '../support/data/lago/north-database.ts'
import { createRole } from '../support/databases/restricted-role.ts'
import { describeTargets } from '../support/databases/targets.ts'
import { lagoEngine } from '../support/product/lago-engine.ts'

const PLACE = { user: 'reader', database: undefined, schema: 'public', tables: [] }

it('the grants leave out every secret of an organization', () => {
  const statements = lagoGrants({ dialect: 'postgres', ...PLACE })
  expect(statements).toContain('grant select (id, name, created_at) on organizations to reader')
  expect(statements.join('\n')).not.toMatch(/api_key|hmac_key/)
  expect(lagoGrants({ dialect: 'postgres', ...PLACE, schema: 'billing', tables: ['plans'] })).toEqual([
    'grant select on billing.plans to reader',
  ])
  expect(() => lagoGrants({ dialect: 'mysql', ...PLACE })).toThrow(/PostgreSQL only/)
  expect(() => lagoGrants({ dialect: 'postgres', ...PLACE, tables: ['wallets'] })).toThrow(/no table "wallets"/)
})

describeTargets(
  'the setup of Lago',
  (target) => {
    const product = (environment: Readonly<Record<string, string>> = {}) =>
      createProduct({ environment: { PLUMBLINE_NOW: '2026-11-20T23:59:59Z', ...environment }, cwd: '/', home: undefined })
    const look = (url: string, tenant?: string, environment?: Readonly<Record<string, string>>) =>
      product(environment).init({ url, tenant, force: false, full: false, dryRun: true })

    it('is found by its tables, with its organization, its customers by currency and the plans without a price', async () => {
      const { found } = await look((await sharedNorth(target)).url)
      expect(found).toMatchObject({ engine: 'Lago', tenants: ['North Ltd'], chosen: ['North Ltd'], base_currency: 'USD' })
      expect(found?.currencies.map(({ currency }) => currency).sort()).toEqual(['EUR', 'GBP', 'JPY', 'KWD', 'USD'])
      expect(found?.findings.map(({ name }) => name)).toEqual(expect.arrayContaining(['prices', 'history']))
    })

    it('lists the organizations of a database with several, with their customers and MRR', async () => {
      const { url } = await sharedNorthAndSouth(target)
      const refused = await look(url).catch((error: unknown) => error)
      expect(String(refused)).toMatch(/the database has 2 tenants.*\n.*\n +North Ltd +1\d\d +.*USD.*\n +South Ltd +1\d\d +.*USD/)
      expect((await look(url, 'South Ltd')).found?.chosen).toEqual(['South Ltd'])
      const named = { PLUMBLINE_CONNECTOR_ORGANIZATION: 'South Ltd' }
      expect((await look(url, undefined, named)).found?.chosen).toEqual(['South Ltd'])
    })

    it('names the only organization, also one whose name cannot be an option, and tells two of one name apart', async () => {
      const database = await copyOfNorth(target)
      try {
        await database.adminQuery(`update organizations set name = 'North, Ltd'`)
        expect((await look(database.url)).found).toMatchObject({ tenants: ['North, Ltd'], chosen: ['North, Ltd'] })
        await expect(look(database.url, 'North, Ltd')).rejects.toThrow(
          /organization = \["North, Ltd"\], or use the organization's id, [0-9a-f-]{36}/,
        )
        const second = '00000000-0000-4000-8000-000000000001'
        const more = `('${second}', 'North, Ltd', '2030-01-01', '2030-01-01')`
        await database.adminQuery(`insert into organizations (id, name, created_at, updated_at) values ${more}`)
        const names = ['North, Ltd', `North, Ltd (${second})`]
        expect((await look(database.url, second)).found).toMatchObject({ tenants: names, chosen: names.slice(1) })
      } finally {
        await database.drop()
      }
    })

    it('leaves a database of Kill Bill to its connector', async () => {
      const { found } = await look((await sharedReal(target)).url, 'alpha')
      expect(found?.engine).toMatch(/^Kill Bill/)
    })

    it('refuses a database of another engine', async () => {
      const other = look((await sharedReal(target)).url, undefined, { PLUMBLINE_CONNECTOR: 'lago' })
      await expect(other).rejects.toThrow(/The database lacks columns of Lago/)
    })

    it('answers to a role with the printed grants, and names a grant that is missing', async () => {
      const database = await copyOfNorth(target)
      const role = await createRole(database, lagoGrants)
      try {
        const engine = await lagoEngine(database, { settings: { url: role.url } })
        const mrr = (await (await lagoEngine(database)).query('mrr')).data
        expect((await engine.query('mrr')).data).toBe(mrr)
        const levels = new Map((await engine.check()).map(({ name, level }) => [name, level]))
        const names = ['schema', 'organizations', 'prices', 'history', 'cancel_reasons']
        expect(names.map((name) => levels.get(name))).toEqual(['ok', 'ok', 'warning', 'warning', 'ok'])
        await database.adminQuery(`revoke select on fees from ${role.grantee}`)
        const refused = await engine
          .query('usage_revenue', { start: '2026-10-01', end: '2026-10-31' })
          .catch((error: unknown) => error)
        expect(refused).toBeInstanceOf(AppError)
        expect(refused).toMatchObject({
          code: 'unsupported_by_connector',
          message: expect.stringMatching(/fees\.id.*--tables fees/s),
        })
      } finally {
        await role.drop()
      }
    })
  },
  { only: ['postgres'] },
)
