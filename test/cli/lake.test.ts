import { describe, expect, it } from 'vitest'
import { AppError } from '../../src/core/errors.ts'
import type { ProductLake, PublicationFacts } from '../../src/facades/cli/product.ts'
import { recordingProduct } from './recording-product.ts'
import { runOver } from './run-product.ts'

const MADE: PublicationFacts = {
  id: 'p1_aaaa',
  made_at: '2026-01-01T00:10:00.000Z',
  now: '2026-01-01T00:00:00.000Z',
  data_through: '2026-01-01T00:00:00.250Z',
  versions: { accounts: '7', events: null },
  rows: { customer: 3, movement: 1_000 },
}
const PLAN = { ...MADE, statements: [{ table: 'p1_aaaa_raw_accounts', text: 'create table p1_aaaa_raw_accounts as …' }] }

function run(line: string, lake: Partial<ProductLake> | undefined) {
  const given: ProductLake = {
    publish: () => Promise.reject(new Error('not asked')),
    plan: () => Promise.reject(new Error('not asked')),
    list: () => Promise.reject(new Error('not asked')),
    ...lake,
  }
  return runOver(recordingProduct([], {}, lake === undefined ? {} : { lake: given }), line.split(' '))
}

describe('publish', () => {
  const publish: ProductLake['publish'] = async (onProgress) => {
    onProgress('Half is done.')
    return MADE
  }

  it('tells of its work on stderr and of the publication on stdout', async () => {
    expect(await run('publish', { publish })).toEqual({
      code: 0,
      stdout: 'p1_aaaa holds 1003 rows of 2 relations, as of 2026-01-01T00:00:00.000Z.\n',
      stderr: 'Half is done.\n',
    })
    expect(JSON.parse((await run('publish --format json', { publish })).stdout)).toEqual(MADE)
    expect((await run('publish --format csv', { publish })).stdout.split(/\r?\n/).slice(0, 2)).toEqual([
      'id,data_through,made_at,rows',
      'p1_aaaa,2026-01-01T00:00:00.250Z,2026-01-01T00:10:00.000Z,1003',
    ])
  })

  it('exits with 5 and names the faults if the tables contradict each other', async () => {
    const found = await run('publish', { publish: async () => ({ faults: ['customer has 2 rows, and 3 were written'] }) })
    expect(found).toMatchObject({
      code: 5,
      stderr: '',
      stdout: expect.stringContaining('  customer has 2 rows, and 3 were written\n'),
    })
    expect(found.stdout).toContain('the earlier one stays')
  })

  it.each([
    ['connector_unavailable', 4],
    ['replica_lagging', 4],
    ['conflict', 3],
  ] as const)('exits after %s with %s', async (code, exit) => {
    const found = await run('publish', { publish: () => Promise.reject(new AppError(code, 'because')) })
    expect(found).toMatchObject({ code: exit, stdout: '', stderr: expect.stringContaining('because') })
  })

  it('only shows its statements in a dry run', async () => {
    const { code, stdout } = await run('publish --dry-run', { plan: async () => PLAN })
    expect([code, stdout]).toEqual([
      0,
      '2 billing tables are read, 1 of them at a fixed Iceberg snapshot, as of 2026-01-01T00:00:00.000Z.\n' +
        '1 statements make these tables. --format json shows their text.\n' +
        '  p1_aaaa_raw_accounts (38 characters)\n',
    ])
    expect(JSON.parse((await run('publish --dry-run --format json', { plan: async () => PLAN })).stdout)).toEqual(PLAN)
  })
})

describe('lake', () => {
  it('lists the publications, the newest first', async () => {
    const older = { ...MADE, id: 'p0_bbbb' }
    const { code, stdout } = await run('lake', { list: async () => [MADE, older] })
    expect(code).toBe(0)
    expect(stdout.split('\n').map((line) => line.trim().split(/\s+/)[0])).toEqual(['id', 'p1_aaaa', 'p0_bbbb', ''])
    expect(JSON.parse((await run('lake --format json', { list: async () => [MADE, older] })).stdout)).toEqual([MADE, older])
  })

  it('says how to make the first', async () => {
    expect(await run('lake', { list: async () => [] })).toEqual({
      code: 0,
      stdout: 'There is no publication. Run plumbline publish.\n',
      stderr: '',
    })
  })
})

it.each(['lake', 'publish', 'publish --dry-run'])('%s needs a lake', async (line) => {
  const { code, stderr } = await run(line, undefined)
  expect([code, stderr]).toEqual([2, expect.stringContaining('lake.schema')])
})
