import { expect, it } from 'vitest'
import { AppError } from '../../src/core/errors.ts'
import type { EngineDependencies } from '../../src/execution/dependencies.ts'
import type { LakeCheck } from '../../src/ports/lake.ts'
import { createReadiness } from '../../src/trust/checks/readiness.ts'

const READY: LakeCheck = {
  ok: true,
  status: 'ready',
  publication: 'p1_aaaa',
  data_through: '2026-01-01T00:00:00.000Z',
  made_at: '2026-01-01T00:10:00.000Z',
  age_seconds: 60,
}

function readinessWith(
  lake: EngineDependencies['lake'],
  opened: () => Promise<unknown> = async () => ({}),
  given: Partial<EngineDependencies> = {},
) {
  const unready: unknown[] = []
  const deps = {
    executor: {
      state: async () => ({
        role: 'unknown',
        lag_seconds: null,
        data_through: null,
        doubt: null,
        version: 'Trino 476',
        schema: 'lake.billing',
      }),
      withSnapshot: opened,
    },
    replica: { max_lag_seconds: 300, lag_policy: 'warn', require_read_only: false },
    store: null,
    lake,
    onUnready: (cause: unknown) => unready.push(cause),
    ...given,
  } as unknown as EngineDependencies
  const ask = createReadiness(
    deps,
    { attention: () => Promise.reject(new Error('not asked')) },
    { attention: () => Promise.reject(new Error('not asked')) },
  )
  return { ask, unready }
}

it.each([
  [READY, 'ok'],
  [{ ...READY, status: 'stale', reason: 'another version made the newest' }, 'ok'],
  [{ ...READY, status: 'none', publication: null }, 'ok'],
  [{ ...READY, ok: false, status: 'none', publication: null }, 'unavailable'],
] as const)('a service on a lake is ready if it answers: %j is %s', async (check, status) => {
  const { status: found, checks } = await readinessWith(async () => check).ask()
  expect([found, checks.lake]).toEqual([status, check])
})

it('a service on a lake that cannot be asked is not ready, and the log gets the reason', async () => {
  const away = new AppError('connector_unavailable', 'Trino is away')
  const { ask, unready } = readinessWith(() => Promise.reject(away))
  expect(await ask()).toMatchObject({ status: 'unavailable', checks: { lake: { ok: false, status: 'none' } } })
  expect(unready).toEqual([away])
})

it.each([
  ['ready', true, 'ok'],
  ['none', true, 'unavailable'],
  ['none', false, 'unavailable'],
] as const)('billing tables that only publications read need one: %s is %s', async (status, ok, expected) => {
  const refusal = new AppError('unsupported_by_connector', 'types', { context: { publications_only: true } })
  const refused = () => Promise.reject(refusal)
  const check = async () => ({ ...READY, status, ok })
  expect(await readinessWith(check, refused).ask()).toMatchObject({ status: expected, checks: { replica: { ok: true } } })
  const other = () => Promise.reject(new AppError('unsupported_by_connector', 'a table is missing'))
  expect(await readinessWith(check, other).ask()).toMatchObject({ status: 'unavailable', checks: { replica: { ok: false } } })
  expect(await readinessWith(undefined, refused).ask()).toMatchObject({ status: 'unavailable' })
})

it('several billing databases need not be open, because no answer reads them', async () => {
  const away = () => Promise.reject(new AppError('connector_unavailable', 'a database is away'))
  const status = async (isHeldOnly: boolean) => (await readinessWith(async () => READY, away, { isHeldOnly }).ask()).status
  expect(await status(true)).toBe('ok')
  expect(await status(false)).toBe('unavailable')
})

it('without a lake nothing is said of one', async () => {
  const { status, checks } = await readinessWith(undefined).ask()
  expect([status, Object.keys(checks)]).toEqual(['ok', ['replica', 'store']])
})
