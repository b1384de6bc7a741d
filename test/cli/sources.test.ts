import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { describeTargets } from '../support/databases/targets.ts'
import { runProduct } from './run-product.ts'

describeTargets(
  'sources on the command line',
  (target) => {
    let folder: string
    let environment: Record<string, string>
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'plumbline-cli-'))
      environment = {
        PLUMBLINE_DATABASE_URL: (await sharedReal(target)).url,
        PLUMBLINE_CONNECTOR_TENANT: 'alpha',
        PLUMBLINE_STORE_URL: `sqlite:${join(folder, 'store.db')}`,
      }
    })
    afterAll(() => rm(folder, { recursive: true, force: true }))
    const run = (line: string) => runProduct(folder, line.split(' '), environment)

    it('lists the database, and says that it is read live', async () => {
      const listed = await run('sources list --format json')
      expect(JSON.parse(listed.stdout)).toMatchObject([
        { type: 'killbill', name: 'alpha', kind: 'database', status: 'connected' },
      ])
      const backfilled = await run('backfill --source killbill')
      expect(backfilled).toMatchObject({ code: 0, stderr: '' })
      expect(backfilled.stdout).toMatch('there is nothing to backfill')
    })

    it('lists bills, lines and vendors of imported books', async () => {
      const file = join(folder, 'bank.csv')
      const rows = ['E1,2025-01-05,Acme,Hosting,cogs,12.5,USD,,', 'B1,2025-01-06,Law,Legal,expense,70,USD,bill,open']
      await writeFile(file, ['id,date,vendor,account,account_type,amount,currency,kind,status', ...rows].join('\n'))
      expect(await run(`expenses import ${file} --source bank`)).toMatchObject({ code: 0 })
      const bills = await run('expenses bills --filter status=open --format csv')
      expect(bills.stdout.split('\n')[1]).toMatch(/^B1,csv-bank,B1,bill,open,Law,Law,2025-01-06,/)
      const lines = JSON.parse((await run('expenses lines --end 2025-01-05 --format json')).stdout)
      expect(lines).toMatchObject({ total: 1, rows: [{ document_id: 'E1', amount_cents: 1_250, account_type: 'cogs' }] })
      expect((await run('expenses vendors')).stdout).toMatch(/^Law +1 +USD +70\.00/m)
      const refused = await run('expenses lines --filter account_type=cgos')
      expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining('Did you mean cogs') })
    })

    it('refuses what cannot be', async () => {
      const settings = /quickbooks.client_id, quickbooks.client_secret, quickbooks.redirect_uri/
      expect(await run('backfill --source quickbooks')).toMatchObject({ code: 3, stderr: expect.stringMatching(settings) })
      expect(await run('sources connect quickbooks')).toMatchObject({ code: 3, stderr: expect.stringMatching(settings) })
      expect(await run('backfill --source quikbooks')).toMatchObject({
        code: 3,
        stderr: expect.stringContaining('Did you mean quickbooks'),
      })
      expect(await run('backfill --source killbill --since soon')).toMatchObject({
        code: 3,
        stderr: expect.stringContaining('--since:'),
      })
      expect(await run('sources disconnect none')).toMatchObject({ code: 3 })
      expect(await run('sources dead-letters retry none all')).toMatchObject({ code: 3 })
    })
  },
  { only: ['postgres'] },
)
