import { expect, it } from 'vitest'
import type { EngineDependencies } from '../../src/execution/dependencies.ts'
import { inHeldSession } from '../../src/execution/session/held-session.ts'
import { createSessions } from '../../src/execution/session/open-session.ts'
import type { ReadThrough } from '../../src/ports/read-through.ts'

/** An engine over several billing databases, whose cache is open or not. */
function engineWith(isOpen: boolean) {
  const asked: string[] = []
  const cache = {
    restore: async () => (isOpen ? null : 'there is no publication'),
    state: () => ({ status: isOpen ? 'ready' : 'idle', accounts: 0 }),
    read: async () => {
      asked.push('cache')
      return isOpen ? { value: 'from the cache' } : null
    },
  } as unknown as ReadThrough
  const executor = {
    withSnapshot: async () => {
      asked.push('billing tables')
      return 'from the billing tables'
    },
  }
  const deps = {
    isHeldOnly: true,
    cache,
    executor,
    store: null,
    clock: { now: () => new Date(0) },
    definitions: {},
    connector: {},
    limits: {},
  } as unknown as EngineDependencies
  return { asked, deps, executor: executor as unknown as EngineDependencies['executor'] }
}

it.each([{ source: 'replica' }, {}] as const)(
  'a question that the cache does not answer is refused, and nothing is read: %j',
  async (options) => {
    const { asked, deps } = engineWith(false)
    const inSession = createSessions(deps, async () => {})
    await expect(
      inSession(
        options,
        () => {},
        async () => 'answered',
      ),
    ).rejects.toMatchObject({ code: 'unsupported_by_connector', message: expect.stringContaining('several databases') })
    expect(asked).not.toContain('billing tables')
  },
)

it.each([
  [true, 'from the cache', ['cache']],
  [false, 'from the billing tables', ['billing tables']],
])('a session is of the cache as soon as it holds something: %s', async (isOpen, expected, way) => {
  const { asked, deps, executor } = engineWith(isOpen)
  expect([await inHeldSession(deps, executor, async () => 'unused'), asked]).toEqual([expected, way])
})
