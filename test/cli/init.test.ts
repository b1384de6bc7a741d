import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { redact } from '../../src/core/addresses.ts'
import { copyOfReal } from '../support/data/killbill/recorded-database.ts'
import { passwordStatement } from '../support/databases/restricted-role.ts'
import { firstEngineAndOneOther } from '../support/databases/rotation.ts'
import { isFirst } from '../support/databases/targets.ts'
import type { TestDatabase } from '../support/databases/test-database.ts'
import { runProduct } from './run-product.ts'

const NOW = { PLUMBLINE_NOW: '2026-11-20T23:59:59Z' }

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumbline-init-'))
  return () => rm(folder, { recursive: true, force: true })
})
const run = (argv: readonly string[], cwd = folder) => runProduct(cwd, argv, NOW)

firstEngineAndOneOther(
  'the first minutes',
  (target) => {
    const role = `pl_init_${randomBytes(4).toString('hex')}`
    const password = randomBytes(8).toString('hex')
    const isPostgres = target.name === 'postgres'
    let database: TestDatabase
    let name: string
    let url: string
    beforeAll(async () => {
      database = await copyOfReal(target)
      const address = new URL(database.url)
      name = address.pathname.slice(1)
      Object.assign(address, { username: role, password })
      url = address.href
      for (const statement of await granted([])) await database.adminQuery(statement)
      await database.adminQuery(passwordStatement(database.dialect.name, role, password))
      await database.adminQuery(`revoke select on ${isPostgres ? '' : `${name}.`}accounts from ${user()}`)
    })
    afterAll(async () => {
      if (isPostgres) await database.adminQuery(`drop owned by ${role}`)
      await database.adminQuery(isPostgres ? `drop role ${role}` : `drop user ${user()}`)
    })
    const user = () => (isPostgres ? role : `${role}@'%'`)

    async function granted(more: readonly string[]): Promise<readonly string[]> {
      const argv = ['grants', '--dialect', target.name, '--user', role, '--database', name, '--format', 'json', ...more]
      const { code, stdout } = await runProduct(tmpdir(), argv)
      expect(code).toBe(0)
      return JSON.parse(stdout) as string[]
    }

    it('tables that a role may not read are named with the command that prints the grants, and nothing is written', async () => {
      const refused = await run(['init', url, '--tenant', 'alpha'])
      expect(refused).toMatchObject({ code: 3, stdout: '' })
      expect(refused.stderr).toContain('may not read')
      const tables = /--user (\S+) --database (\S+) --tables (\S+)`/.exec(refused.stderr)
      expect(tables?.slice(1)).toEqual([role, name, 'accounts'])
      expect(await readdir(folder)).toEqual([])
      const statements = await granted(['--tables', tables?.[3] ?? ''])
      expect(statements).toHaveLength(1)
      for (const statement of statements) await database.adminQuery(statement)
    })

    it('several tenants and none named is a sentence, and nothing is written', async () => {
      for (const argv of [[url], ['init', url]]) {
        const refused = await run(argv)
        expect(refused).toMatchObject({ code: 2, stdout: '' })
        expect(refused.stderr).toMatch(/^error: the database has 2 tenants; choose with --tenant/)
        // Amounts by currency need no exchange rates.
        expect(refused.stderr).toMatch(/^ {2}alpha +326 {2}14,443\.37 EUR, 6,436\.67 GBP, 254,915 JPY, 25,626\.25 USD$/m)
        expect(refused.stderr).toMatch(/^ {2}beta +23 {2}804\.08 EUR$/m)
        const line = redact(url)
        expect(refused.stderr).toContain(`in place of ***:\n  plumbline init '${line}' --tenant alpha\n`)
        expect(refused.stderr).not.toContain(password)
        expect(refused.stderr).not.toContain('    at ')
      }
      expect(await readdir(folder)).toEqual([])
    })

    it('the tenant that the environment names counts, and a file that it replaces is for its owner only from the beginning', async () => {
      const path = join(folder, 'plumbline.toml')
      await writeFile(path, '# mine', { mode: 0o644 })
      const reader = await open(path)
      const environment = { ...NOW, PLUMBLINE_CONNECTOR_TENANT: 'beta', PLUMBLINE_STORE_URL: 'none' }
      const made = await runProduct(folder, ['init', url, '--force'], environment)
      expect(made.stdout).toMatch(/^tenants +beta; not included: alpha$/m)
      expect(made.stdout).toMatch(/\nNext:\n[\s\S]*^ {2}plumbline serve --open +# the dashboard, in the browser$/m)
      expect(await readFile(path, 'utf8')).toContain('tenant = "beta"')
      expect((await stat(path)).mode & 0o777).toBe(0o600)
      // A reader that had the file open before sees nothing of the password.
      expect(await reader.readFile('utf8')).toBe('# mine')
      await reader.close()
      await rm(path)
    })

    it('the tenants that the environment names are in a file for which no database was asked', async () => {
      const environment = { ...NOW, PLUMBLINE_CONNECTOR_TENANT: 'alpha, beta', PLUMBLINE_STORE_URL: 'none' }
      expect((await runProduct(folder, ['init'], environment)).code).toBe(0)
      expect(await readFile(join(folder, 'plumbline.toml'), 'utf8')).toMatch(/^tenant = \[ "alpha", "beta" \]$/m)
    })

    it('serve without a named tenant does not start, and says why', async () => {
      const environment = { PLUMBLINE_DATABASE_URL: url, PLUMBLINE_STORE_URL: 'none', PLUMBLINE_SERVER_PORT: '0' }
      let logged = ''
      const stderr = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
        logged += String(text)
        return true
      })
      const refused = await runProduct(folder, ['serve'], environment).finally(() => stderr.mockRestore())
      expect(refused).toMatchObject({ code: 2, stdout: '', stderr: '' })
      // Elsewhere than on a terminal, the log of a service is JSON throughout.
      const lines = logged.trimEnd().split('\n')
      const entries = lines.map((line) => JSON.parse(line) as { level: string; message: string })
      const said = entries.filter(({ message }) => message.includes('must name one of the tenants'))
      const why = expect.stringMatching(/^serve: connector\.tenant must name one of the tenants "alpha", "beta"/)
      expect(said).toMatchObject([{ level: 'error', message: why }])
      expect(logged.match(/must name one of the tenants/g)).toHaveLength(1)
      expect(logged).not.toContain('    at ')
    })

    // Renames a tenant, which would confuse those who share the database.
    it.runIf(target.copyOf !== undefined)(
      'a tenant with a comma in its key is named by its id, or in the file, and another name is an error that says so',
      async () => {
        const named = (from: string, to: string) =>
          database.adminQuery(`update tenants set external_key = '${to}' where external_key = '${from}'`)
        await named('beta', 'beta, inc')
        try {
          const refused = await run([url, '--tenant', 'beta, inc'])
          expect(refused.code).toBe(2)
          const [, key, id] =
            /into the configuration file, tenant = \["(.*)"\], or use the tenant's id, (\S+)$/m.exec(refused.stderr) ?? []
          expect(key).toBe('beta, inc')
          expect((await run([url])).stderr).toContain(`  beta, inc (--tenant ${id})`)
          expect((await run([url, '--tenant', String(id)])).stdout).toMatch(/^tenants +beta, inc; not included: alpha$/m)
          const toml = `[database]\nurl = "${url}"\n[connector]\ntenant = ["beta, inc"]\n[store]\nurl = "none"\n`
          await writeFile(join(folder, 'plumbline.toml'), toml)
          expect((await run(['check'])).stdout).toMatch(/^ok +tenants +beta, inc$/m)
        } finally {
          await named('beta, inc', 'beta')
          await rm(join(folder, 'plumbline.toml'), { force: true })
        }
      },
    )

    it('the address alone looks, and writes nothing', async () => {
      const looked = await run([url, '--tenant', 'alpha'])
      expect(looked.code).toBe(0)
      expect(looked.stdout).toMatch(/^engine +Kill Bill 0\.24 or later$/m)
      expect(looked.stdout).toMatch(/^tenants +alpha; not included: beta$/m)
      expect(looked.stdout).toMatch(/^currencies +USD \(\d+ customers\), EUR .*; totals in USD/m)
      expect(looked.stdout).toMatch(/EUR to USD for .* `plumbline fx fetch ecb`/)
      expect(looked.stdout).toMatch(/^EUR +[\d,]+\.\d\d$/m)
      expect(looked.stdout).not.toMatch(/^failure/m)
      expect(looked.stdout + looked.stderr).not.toContain(password)
      if (isFirst(target)) expect((await run(['--tenant', 'alpha', url])).stdout).toBe(looked.stdout)
      expect(await readdir(folder)).toEqual([])
    })

    it('a store that cannot be opened leaves no file behind', async () => {
      const away = { ...NOW, PLUMBLINE_STORE_URL: 'postgres://127.0.0.1:1/none' }
      expect(await runProduct(folder, ['init', url, '--tenant', 'alpha'], away)).toMatchObject({ code: 4, stdout: '' })
      expect(await readdir(folder)).toEqual([])
    })

    it('options that choose within a database need one', async () => {
      const refused = await run(['init', '--tenant', 'alpha', '--base-currency', 'EUR', '--dry-run'])
      expect(refused).toMatchObject({ code: 2, stdout: '' })
      expect(refused.stderr.match(/^error: option --(tenant|base-currency|dry-run) needs the address/gm)).toHaveLength(3)
      expect(await readdir(folder)).toEqual([])
    })

    it('init writes the six lines that matter, for its owner only; commands find them from below; with rates it ends with MRR', async () => {
      const made = await run(['init', url, '--tenant', 'alpha'])
      expect(made.code).toBe(0)
      expect(made.stdout + made.stderr).not.toContain(password)
      const path = join(folder, 'plumbline.toml')
      const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '')
      expect(lines).toEqual([
        '[database]',
        `url = "${url}"`,
        '[connector]',
        'tenant = "alpha"',
        '[definitions]',
        'base_currency = "USD"',
      ])
      expect((await stat(path)).mode & 0o777).toBe(0o600)
      const below = join(folder, 'a', 'b')
      await mkdir(below, { recursive: true })
      const asked = await run(['mrr', '--dimension', 'currency'], below)
      expect(asked.code).toBe(0)
      expect(made.stdout).toContain(asked.stdout)
      expect(await run(['init', url])).toMatchObject({ code: 3, stdout: '' })

      // How several tenants are written does not differ between engines.
      if (isFirst(target)) {
        const euro = await run(['init', url, '--tenant', 'alpha,beta', '--base-currency', 'eur', '--force', '--format', 'json'])
        expect(JSON.parse(euro.stdout)).toMatchObject({
          steps: [expect.stringContaining(path), 'Prepared the side store'],
          found: { tenants: ['alpha', 'beta'], chosen: ['alpha', 'beta'], base_currency: 'EUR', mrr_cents: null },
        })
        expect(await readFile(path, 'utf8')).toContain('tenant = [ "alpha", "beta" ]')
      }

      // With the rates at hand it ends with MRR.
      expect(made.stdout).not.toContain('MRR today:')
      const rates = new URL('../../examples/rates.csv', import.meta.url).pathname
      expect(await run(['fx', 'import', rates])).toMatchObject({ code: 0 })
      const again = await run(['init', url, '--tenant', 'alpha', '--base-currency', 'USD', '--force'])
      expect(again.stdout).toMatch(/^MRR today: 51,148\.37 USD$/m)
    })

    it('a database without the engine, and an embedded one that is not there, are one sentence each', async () => {
      const empty = await target.createDatabase()
      const refused = await run(['init', empty.url])
      expect(refused).toMatchObject({ code: 3, stdout: '' })
      expect(refused.stderr).toMatch(
        /^error: There is no Kill Bill in this database, or its role may read none .*\n {2}connector: killbill\n {2}missing: tables\n$/,
      )
      const mistyped = join(folder, 'mistyped')
      const away = await run(['init', `pglite:${mistyped}`])
      expect(away).toMatchObject({ code: 4, stdout: '' })
      expect(away.stderr).toBe(`error: The billing database at ${mistyped} cannot be reached (ENOENT: there is none).\n`)
      expect(await readdir(folder)).toEqual([])
    })

    it('a tenant that does not exist and a server that is not there are sentences', async () => {
      const unknown = await run(['init', url, '--tenant', 'gamma'])
      expect(unknown, unknown.stderr).toMatchObject({ code: 2, stdout: '' })
      expect(unknown.stderr).toContain('no tenant "gamma"; there are "alpha", "beta"')
      const address = new URL(url)
      address.port = '1'
      const away = await run(['init', address.href])
      expect(away).toMatchObject({ code: 4, stdout: '' })
      expect(away.stderr).toContain(`at ${address.hostname} port 1 cannot be reached (ECONNREFUSED)`)
      expect(away.stderr).not.toContain(password)
      const oddly = (changed: Partial<URL>) => run(['init', Object.assign(new URL(url), changed).href])
      const stranger = await oddly({ username: `no_${role}`, password: 'not this' })
      expect(stranger).toMatchObject({
        code: 4,
        stderr: expect.stringMatching(/cannot be reached \(\w+: wrong user or password/),
      })
      expect(stranger.stderr).not.toContain('not this')
      const elsewhere = await oddly({ pathname: '/pl_none' })
      expect(elsewhere).toMatchObject({ code: 4, stderr: expect.stringContaining(': no such database') })
      const other = await run(['init', 'oracle://x'])
      expect(other).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('(from the address given)') })
      const currency = await run(['init', url, '--base-currency', 'euro'])
      expect(currency).toMatchObject({ code: 2, stderr: expect.stringContaining('(from --base-currency)') })
      expect(await readdir(folder)).toEqual([])
    })
  },
  { only: ['postgres', 'mariadb'] },
)
