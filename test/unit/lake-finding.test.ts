import { expect, it } from 'vitest'
import { AppError } from '../../src/core/errors.ts'
import type { LakeCheck } from '../../src/ports/lake.ts'
import { lakeFinding } from '../../src/trust/checks/lake.ts'

const READY: LakeCheck = {
  ok: true,
  status: 'ready',
  publication: 'p1_aaaa',
  data_through: '2026-01-01T00:00:00.000Z',
  made_at: '2026-01-01T00:10:00.000Z',
  age_seconds: 60,
}
const NONE: LakeCheck = { ...READY, status: 'none', publication: null, reason: 'there is no publication' }

it.each([
  [READY, 'ok', 'p1_aaaa answers, complete up to 2026-01-01T00:00:00.000Z'],
  [{ ...READY, status: 'stale', reason: 'another version made it' }, 'warning', 'another version made it'],
  [{ ...READY, ok: false, status: 'stale', reason: 'it is too old' }, 'failure', 'is refused'],
  [{ ...NONE, ok: false }, 'failure', 'questions are refused'],
  [NONE, 'warning', 'reads the billing tables'],
] as const)('$1: $2', async (check, level, message) => {
  const finding = await lakeFinding(async () => check)
  expect(finding).toMatchObject({ name: 'lake', level, message: expect.stringContaining(message) })
  expect(finding.command).toBe(level === 'ok' ? undefined : 'plumbline publish')
})

it('a Trino that does not answer is a failure, and a fault of the program is thrown', async () => {
  const away = new AppError('connector_unavailable', 'Trino is away')
  expect(await lakeFinding(() => Promise.reject(away))).toMatchObject({ level: 'failure', message: 'Trino is away' })
  await expect(lakeFinding(() => Promise.reject(new TypeError('a fault')))).rejects.toThrow('a fault')
})
