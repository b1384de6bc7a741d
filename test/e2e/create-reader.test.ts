import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createProduct } from '../../src/app/bin/product.ts'
import { processInputs } from '../../src/app/config/config.ts'
import { packageRoot } from '../../src/core/package-root.ts'
import { copyOfReal } from '../support/data/killbill/recorded-database.ts'
import { describeTargets } from '../support/databases/targets.ts'
import type { TestDatabase } from '../support/databases/test-database.ts'
import { engineOver } from '../support/product/recorded-engine.ts'

const SCRIPT = join(packageRoot(), 'examples', 'compose', 'create-reader.sh')

describeTargets(
  'the role of create-reader.sh',
  (target) => {
    const user = `pl_reader_${randomBytes(4).toString('hex')}`
    let database: TestDatabase

    beforeAll(async () => {
      database = await copyOfReal(target)
    })
    afterAll(async () => {
      if (target.name === 'postgres') await database.adminQuery(`drop owned by ${user}`)
      await database.adminQuery(target.name === 'postgres' ? `drop role ${user}` : `drop user ${user}@'%'`)
    })

    /** Runs the script on what `grants` prints, with the database's own client. */
    async function create(password: string) {
      const url = new URL(database.url)
      const name = url.pathname.slice(1)
      const dialect = target.name === 'postgres' ? ('postgres' as const) : ('mysql' as const)
      const statements = await createProduct().grants({ dialect, user, database: name, schema: 'public', tables: [] })
      const address = ['-h', url.hostname, dialect === 'postgres' ? '-p' : '-P', url.port]
      const client =
        dialect === 'postgres'
          ? ['psql', '-v', 'ON_ERROR_STOP=1', ...address, '-U', url.username, name]
          : ['mariadb', '--protocol=tcp', ...address, '-u', url.username, name]
      const secret = { PGPASSWORD: decodeURIComponent(url.password), MYSQL_PWD: decodeURIComponent(url.password) }
      const env = { PATH: processInputs().environment['PATH'], ...secret, READER_PASSWORD: password }
      const running = promisify(execFile)('sh', [SCRIPT, ...client], { env })
      // A script that refuses its password does not read on.
      running.child.stdin?.on('error', () => {})
      running.child.stdin?.end(statements.map((statement) => `${statement};\n`).join(''))
      return running
    }

    it('reads what is needed and nothing else, and takes another password when it is made again', async () => {
      await create('first')
      await create('second.one')
      const url = new URL(database.url)
      url.username = user
      url.password = 'second.one'
      const engine = await engineOver(database, { tenant: ['alpha'], settings: { url: url.href } })
      try {
        expect((await engine.query('mrr', { at: '2026-10-31' })).data).toBe(4851882)
        const findings = await engine.check()
        expect(findings.filter(({ level }) => level === 'failure')).toEqual([])
        expect(findings.find(({ name }) => name === 'privileges')?.level).toBe('ok')
      } finally {
        await engine.close()
      }
    })

    it('is not made with a password that would be more than one, nor without one', async () => {
      await expect(create("x'; drop table accounts; --")).rejects.toMatchObject({ code: 2 })
      await expect(create('')).rejects.toThrow('READER_PASSWORD')
    })
  },
  { only: ['postgres', 'mariadb'] },
)
