import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { packageRoot } from '../../src/core/package-root.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { oneEngineInRotation } from '../support/databases/rotation.ts'
import { storePlace } from '../support/databases/store-places.ts'
import { runProduct } from './run-product.ts'

const RATES = join(packageRoot(), 'fixtures', 'killbill', 'real', 'expected', 'fx.csv')

oneEngineInRotation('marks on the command line', (target) => {
  let folder: string
  let environment: Record<string, string>
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plumbline-cli-'))
    const place = await storePlace(target.name)
    const at = place.url.startsWith('sqlite:') ? `sqlite:${join(folder, 'store.db')}` : place.url
    environment = {
      PLUMBLINE_DATABASE_URL: (await sharedReal(target)).url,
      PLUMBLINE_CONNECTOR_TENANT: 'alpha',
      PLUMBLINE_NOW: '2026-11-20T23:59:59Z',
      PLUMBLINE_STORE_URL: at,
      PLUMBLINE_DEFINITIONS_BASE_CURRENCY: 'USD',
    }
    expect((await run('fx', 'import', RATES)).code).toBe(0)
    return async () => {
      await place.remove()
      await rm(folder, { recursive: true, force: true })
    }
  })

  const run = (...argv: readonly string[]) => runProduct(folder, argv, environment)
  const health = (...argv: readonly string[]) => run('billing-health', ...argv)

  it('a finding is marked, left out of a limit, listed and unmarked', async () => {
    const { at_stake_base_cents: before } = JSON.parse((await health('--json')).stdout)
    expect(await health('marks')).toMatchObject({ code: 0, stdout: '(no marks)\n', stderr: '' })
    expect((await health('--fail-above', `${before}`)).stderr).toBe('')
    expect((await health('--fail-above', `${before - 1}`)).code).toBe(5)

    // alpha has one finding of this class in the last 90 days: 345.71 a month too much.
    const { stdout: shown } = await health('--class', 'quantity_reverted')
    const own = ['quantity_reverted', '--subscription-id', /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(shown)?.[0] ?? '']
    const made = await health('mark', ...own, '--as', 'no_error', '--note', 'a gift')
    expect(made).toMatchObject({ code: 0, stderr: '' })
    expect(made.stdout).toMatch(/^quantity_reverted of subscription \S+ is marked as no_error: a gift\nid \S+\n$/)
    const id = /^id (\S+)$/m.exec(made.stdout)?.[1] ?? ''
    const left = await health('--fail-above', `${before - 34_571}`, '--format', 'csv')
    expect([left.code, left.stderr]).toEqual([0, '1 finding is marked as no error and left out.\n'])
    expect(left.stdout).toMatch(/^marked,1,,,90,/m)
    expect((await health('--fail-above', `${before - 34_572}`)).code).toBe(5)

    const text = await health()
    expect(text.stdout).toContain('Marked as no error: 1, with 345.71 USD at stake, in no other sum.\n')
    expect(text.stdout).not.toContain('quantity_reverted')
    expect((await health('--mark', 'no_error')).stdout).toContain('quantity_reverted')
    expect((await health('--filter', 'mark=no_error')).stdout).toContain('quantity_reverted')

    const [head, line] = (await health('marks', '--format', 'csv')).stdout.split('\r\n')
    expect(head?.split(',').slice(0, 2)).toEqual(['id', 'kind'])
    expect(line).toMatch(new RegExp(`^${id},quantity_reverted,.*,no_error,a gift,,.*,USD,-34571,0$`))
    expect(JSON.parse((await health('marks', '--json')).stdout)).toMatchObject([{ id, state: 'no_error', note: 'a gift' }])

    const seen = await health('mark', ...own, '--as', 'seen', '--json')
    expect(JSON.parse(seen.stdout)).toMatchObject({ id, state: 'seen', note: null })
    expect((await health()).stdout).toContain('Marked as seen: 1.\n')
    expect((await health('--fail-above', `${before - 1}`)).code).toBe(5)

    expect(await health('unmark', id)).toEqual({ code: 0, stdout: 'Removed\n', stderr: '' })
    expect((await health('unmark', id)).code).toBe(3)
    expect(JSON.parse((await health('--json')).stdout).at_stake_base_cents).toBe(before)
  })

  it.each([
    [['mark', 'quantity_reverted'], 2, '--as is missing'],
    [['mark', 'nonsense', '--as', 'seen'], 3, '<kind>'],
    [['mark', 'quantity_reverted', '--as', 'fine'], 3, 'seen or no_error'],
    [['mark', 'overdue_block', '--as', 'no_error'], 3, '--as'],
    [['mark', 'account_parked', '--as', 'seen'], 3, 'have these ids'],
    [['mark', 'quantity_reverted', '--as', 'seen', '--subscription-id', 'nobody'], 3, 'has these ids at present'],
    [['mark', 'quantity_reverted', '--as', 'seen', '--note', 'x'.repeat(201)], 3, '--note'],
    [['unmark', 'nobody'], 3, 'No mark has this id.'],
  ])('%j is refused', async (argv, code, says) => {
    const refused = await health(...argv)
    expect([refused.code, refused.stdout]).toEqual([code, ''])
    expect(refused.stderr).toContain(says)
    expect((await health('marks')).stdout).toBe('(no marks)\n')
  })
})
