import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { packageRoot } from '../../src/core/package-root.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { copyOfReal } from '../support/data/killbill/recorded-database.ts'
import { sampleOf } from '../support/databases/rotation.ts'
import { describeTargets } from '../support/databases/targets.ts'
import type { TestDatabase } from '../support/databases/test-database.ts'
import { engineOver } from '../support/product/recorded-engine.ts'

/** Tables of the documented PostgreSQL grant; the guide has the same ones for MySQL. */
function grantedTables(): string[] {
  const guide = readFileSync(join(packageRoot(), 'docs', 'own-replica.md'), 'utf8')
  const list = /grant select on (tenant_kvs,[\s\S]*?)\s+to plumbline_reader;/.exec(guide)?.[1] ?? ''
  return list.split(',').map((name) => name.trim())
}

const TENANT_COLUMNS = 'record_id, id, external_key, api_key, created_date, updated_date'

describeTargets(
  'a role with only the documented grants',
  (target) => {
    const role = `pl_reader_${randomBytes(4).toString('hex')}`
    const password = randomBytes(8).toString('hex')
    let database: TestDatabase
    let engine: Engine
    const seen: string[] = []

    beforeAll(async () => {
      database = await copyOfReal(target)
      const url = new URL(database.url)
      const name = url.pathname.slice(1)
      const statements =
        target.name === 'postgres'
          ? [
              `create role ${role} login password '${password}'`,
              `grant connect on database ${name} to ${role}`,
              `grant usage on schema public to ${role}`,
              `grant select (${TENANT_COLUMNS}) on tenants to ${role}`,
              `grant select on ${grantedTables().join(', ')} to ${role}`,
              `alter role ${role} set default_transaction_read_only = on`,
            ]
          : [
              `create user ${role}@'%' identified by '${password}'`,
              `grant select (${TENANT_COLUMNS}) on ${name}.tenants to ${role}@'%'`,
              ...grantedTables().map((table) => `grant select on ${name}.${table} to ${role}@'%'`),
            ]
      for (const statement of statements) await database.adminQuery(statement)
      url.username = role
      url.password = password
      engine = await engineOver(database, {
        tenant: ['alpha'],
        settings: { url: url.href, onStatement: (text) => seen.push(text) },
      })
    })
    afterAll(async () => {
      await engine?.close()
      if (target.name === 'postgres') await database.adminQuery(`drop owned by ${role}`)
      await database.adminQuery(target.name === 'postgres' ? `drop role ${role}` : `drop user ${role}@'%'`)
    })

    it('suffices for the MRR family and for check', async () => {
      expect((await engine.query('mrr', { at: '2026-10-31' })).data).toBe(4851882)
      const range = { start: '2026-09-01', end: '2026-10-31' }
      for (const query_type of sampleOf(target, ['series', 'components', 'breakdown', 'waterfall', 'arr'], {
        first: 1,
        others: 5,
      }))
        await engine.query('mrr', { query_type, ...range }, { dimensions: ['plan_id', 'customer_country'] })
      await engine.query(
        'mrr',
        { at: '2026-10-31' },
        { dimensions: ['pending_cancellation', 'cohort_month', 'collection_method', 'tenure_months'] },
      )
      const findings = await engine.check()
      expect(findings.filter((finding) => finding.level === 'failure')).toEqual([])
      expect(findings.find((finding) => finding.name === 'privileges')?.level).toBe('ok')
    })

    it('sends nothing but reads and settings of its session', () => {
      const kinds = new Set(
        seen.map((text) =>
          text
            .replace(/\/\*[\s\S]*?\*\//g, '')
            .trim()
            .split(/\s+/)[0]
            ?.toLowerCase(),
        ),
      )
      expect(
        [...kinds].filter(
          (kind) =>
            !['begin', 'start', 'set', 'select', 'with', 'show', 'rollback', 'commit', 'declare', 'fetch', 'close'].includes(
              kind ?? '',
            ),
        ),
      ).toEqual([])
      expect(seen.length).toBeGreaterThan(10)
    })
  },
  { only: ['postgres', 'mariadb', 'mysql'] },
)
