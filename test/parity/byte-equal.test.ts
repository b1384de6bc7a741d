import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { REGISTRY } from '../../src/engine/catalog-of-metrics.ts'
import { createApp } from '../../src/http/app.ts'
import { type OfferedRequest, offeredRequests } from '../support/offered-requests.ts'
import { engineOver } from '../support/real-engine.ts'
import { sharedReal } from '../support/shared-real.ts'
import { type TestDatabase, targets } from '../support/targets.ts'

type App = ReturnType<typeof createApp>

const PATHS = [
  '/api/metrics/summary?end=2026-03-08',
  '/api/metrics/summary?start=2025-10-17&end=2026-03-08&format=csv',
  '/api/customers?limit=1000',
  '/api/subscriptions?limit=1000&format=csv',
  '/api/invoices?limit=1000&start=2026-01-01',
]

/** At least so many requests must come from the offers, else one of them has gone silent. */
const FEWEST = 120

describe.skipIf(targets().length < 2)(`bodies from ${targets().map(({ name }) => name)}`, () => {
  const databases: TestDatabase[] = []
  const apps = new Map<string, App>()
  let requests: readonly OfferedRequest[] = []

  beforeAll(async () => {
    for (const target of targets()) {
      const database = await sharedReal(target)
      databases.push(database)
      const engine = await engineOver(database, { tenant: ['all'] })
      const app = createApp({ engine, version: '0', corsOrigins: [], limits: { body_bytes: 1_000_000 }, log: () => {} })
      apps.set(target.name, app)
      requests = await offeredRequests(engine)
    }
  })
  afterAll(async () => {
    await Promise.all(databases.map((database) => database.drop()))
  })

  const bodiesOf = async (path: string, init?: RequestInit): Promise<Record<string, string>> => {
    const ask = async ([name, app]: [string, App]) => {
      const response = await app.request(path, init)
      return [name, `${response.status} ${await response.text()}`]
    }
    return Object.fromEntries(await Promise.all([...apps].map(ask)))
  }
  const expectEqual = (bodies: Record<string, string>, request: string): void => {
    const [first = '', ...others] = Object.values(bodies)
    expect(first, request).toMatch(/^200 /)
    // Not toEqual on the whole: a difference in megabytes of rows would drown the message.
    for (const other of others) expect(differing(first, other), `${request} on ${Object.keys(bodies)}`).toBeUndefined()
  }

  it('come from many requests', () => {
    expect(requests.length).toBeGreaterThanOrEqual(FEWEST)
  })

  it.each([...REGISTRY.metrics.keys()])('are byte-equal for everything that %s offers (I23)', async (metric) => {
    const empty: string[] = []
    const asked = requests.filter((request) => request.metric === metric)
    for (const { name, params, spec } of asked) {
      const bodies = await bodiesOf(`/api/metrics/${metric}`, { method: 'POST', body: JSON.stringify({ params, spec }) })
      expectEqual(bodies, name)
      if (Object.values(bodies)[0] === '200 []') empty.push(name)
    }
    // Equal because there is nothing to see proves little.
    expect(empty.length, `empty: ${empty.join('; ')}`).toBeLessThan(asked.length / 4)
  })

  it.each(PATHS)('are byte-equal for %s', async (path) => {
    expectEqual(await bodiesOf(path), path)
  })
})

/** The surroundings of the first difference; undefined when there is none. */
function differing(one: string, other: string): readonly [string, string] | undefined {
  if (one === other) return undefined
  let at = 0
  while (one[at] === other[at]) at++
  return [one.slice(Math.max(0, at - 200), at + 100), other.slice(Math.max(0, at - 200), at + 100)]
}
