import { describe, expect, it } from 'vitest'
import type { CheckFinding } from '../../src/connector-kit/connector.ts'
import { recentChecks, setupSteps, withSetup } from '../../src/trust/checks/setup.ts'

const ok = (name: string, message = name): CheckFinding => ({ name, level: 'ok', message })
const STORE = { place: '/data/store.db', backup: 'sqlite3 copy' }
const FACTS = { done: [], isReachable: false, store: STORE }

describe('the steps of the setup', () => {
  it('have the words of the worst findings, and their command', () => {
    const steps = setupSteps([
      ok('connection', 'PostgreSQL 15'),
      { name: 'address', level: 'warning', message: 'not encrypted' },
      ok('privileges', 'the role is read-only'),
      ok('views', 'never said'),
      { name: 'rates', level: 'warning', message: 'no rate into USD from EUR', command: 'plumbline fx fetch ecb' },
      ok('catalog', '3 versions'),
      { name: 'prices', level: 'failure', message: 'unpriced: a' },
      { name: 'plan_names', level: 'warning', message: 'two readings' },
    ])
    expect(steps).toEqual([
      { name: 'connection', title: 'Connection', state: 'attention', message: 'not encrypted' },
      { name: 'rights', title: 'Read-only rights', state: 'done', message: 'the role is read-only' },
      {
        name: 'rates',
        title: 'Exchange rates',
        state: 'attention',
        message: 'no rate into USD from EUR',
        command: 'plumbline fx fetch ecb',
      },
      { name: 'catalog', title: 'Catalog and prices', state: 'attention', message: 'unpriced: a' },
      ...[
        ['test_accounts', 'Test accounts'],
        ['access', 'Access'],
        ['backup', 'Backup of the store'],
      ].map(([name, title]) => ({
        name,
        title,
        state: 'todo',
        message: 'not checked yet: the steps above come first',
      })),
    ])
  })

  it.each([
    [{ ...FACTS }, false, 'ok', 'only this machine reaches the service; authentication is off'],
    [{ ...FACTS, isReachable: true }, true, 'ok', 'every request needs a credential'],
    [
      { ...FACTS, isReachable: true },
      false,
      'todo',
      'authentication is off: everyone who reaches the service reads all figures and changes stored data',
    ],
  ])('say who can see the figures', (facts, isAuthenticated, level, message) => {
    const access = withSetup([], facts, isAuthenticated).find(({ name }) => name === 'access')
    expect(access).toMatchObject({ level, message })
  })

  it('ask for a backup until setup.done names it, and name the lines to paste', () => {
    const backup = (done: readonly string[], store: typeof STORE | null = STORE) =>
      withSetup([], { ...FACTS, done, store }, false).find(({ name }) => name === 'backup')
    const message = 'back up /data/store.db: rates, attributes, segments and dashboards are nowhere else'
    expect(backup(['access'])).toEqual({
      name: 'backup',
      level: 'todo',
      message,
      command: 'sqlite3 copy',
      setting: '[setup]\ndone = ["access", "backup"]',
    })
    expect(backup(['backup'])).toEqual({
      name: 'backup',
      level: 'ok',
      message: `${message}; setup.done marks this step as done`,
    })
    expect(backup([], null)).toMatchObject({ level: 'ok' })
  })

  it('that need attention cannot be marked as done', () => {
    const rates: CheckFinding = { name: 'rates', level: 'warning', message: 'no rate' }
    const auth: CheckFinding = { name: 'test_accounts', level: 'failure', message: 'unknown' }
    const found = withSetup([rates, auth], { ...FACTS, done: ['rates', 'test_accounts'] }, false)
    expect(found).toEqual(expect.arrayContaining([rates, auth]))
  })
})

describe('recent checks', () => {
  const counted = () => {
    const waiting: (() => void)[] = []
    let count = 0
    const checks = recentChecks(() => {
      count += 1
      const own = count
      return new Promise<number>((resolve) => waiting.push(() => resolve(own)))
    })
    return { ...checks, finish: () => waiting.shift()?.(), count: () => count }
  }

  it('run one at a time, and answer from the last result', async () => {
    const { read, finish, count } = counted()
    const all = Promise.all([read(false), read(true), read(false)])
    finish()
    expect(await all).toEqual([1, 1, 1])
    expect(await Promise.all([read(false), read(true)])).toEqual([1, 1])
    expect(count()).toBe(1)
  })

  it('run again after a change, also after one while they ran', async () => {
    const { read, forget, finish, count } = counted()
    const first = read(false)
    forget()
    finish()
    expect(await first).toBe(1)
    const second = read(false)
    finish()
    expect(await second).toBe(2)
    forget()
    const third = read(false)
    finish()
    expect([await third, count()]).toEqual([3, 3])
  })
})
