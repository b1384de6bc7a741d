import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/contract.ts'
import { createApp } from '../../src/facades/http/app.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { isInTurn } from '../support/databases/rotation.ts'
import { describeTrino, postgresOfTrino } from '../support/databases/servers/shared-trino.ts'
import { copyToTrino } from '../support/databases/trino-copy.ts'
import { JSON_BODY } from '../support/product/json-body.ts'
import { offeredRequests } from '../support/product/offered-requests.ts'
import { engineOver } from '../support/product/recorded-engine.ts'
import { bodyOf, everyMetric } from './every-metric.ts'

/** A request takes Trino seconds, so each run asks a share of them. */
const SHARE = 60
const DAYS = 'start=2025-06-01&end=2026-11-20'

/** Questions beyond metrics: lists, one customer and the rows behind a number with their evidence. */
const PATHS = [
  '/api/customers?limit=50&order-by=-mrr',
  '/api/customers?limit=50&offset=50',
  '/api/subscriptions?limit=1000',
  '/api/invoices?limit=100',
  '/api/invoices?limit=100&format=csv',
  `/api/metrics/mrr/rows?query-type=waterfall&measure=new&${DAYS}`,
  `/api/metrics/churn/rows?query-type=revenue&${DAYS}&measure=churned_mrr_cents`,
  '/api/billing-health',
  '/api/billing-health/notices',
  `/api/summary?${DAYS}`,
  `/api/metrics/mrr?query-type=series&${DAYS}&explain=true`,
]

describeTrino('answers straight from Trino', (server) => {
  const opened: Engine[] = []
  let direct: Engine
  let lake: Engine

  beforeAll(async () => {
    const source = await sharedReal(postgresOfTrino())
    const copy = await copyToTrino(await server(), source)
    direct = await engineOver(source, { tenant: ['all'] })
    lake = await engineOver({ ...source, executor: (options) => copy.executor(options) }, { tenant: ['all'] })
    opened.push(direct, lake)
  })
  afterAll(async () => {
    for (const engine of opened) await engine.close()
  })

  it.each(everyMetric({ start: '2025-11-21', end: '2026-11-20' }))('$name is that of PostgreSQL', async ({ ask }) => {
    expect(bodyOf(await ask(lake))).toBe(bodyOf(await ask(direct)))
  })

  it('every offer is answered as by PostgreSQL', async () => {
    const [here, there] = [appOf(direct), appOf(lake)]
    const offered = (await offeredRequests(direct)).filter((_, place) => isInTurn(place, SHARE))
    for (const { metric, name, params, spec } of offered) {
      const init = { method: 'POST', headers: JSON_BODY, body: JSON.stringify({ params, spec }) }
      const path = `/api/metrics/${metric}`
      expect(await textOf(there, path, init), name).toBe(await textOf(here, path, init))
    }
  })

  it.each(PATHS)('%s is that of PostgreSQL', async (path) => {
    const [expected, found] = [await textOf(appOf(direct), path), await textOf(appOf(lake), path)]
    expect(expected).toMatch(/^200 /)
    // An explanation names the statements, which differ.
    if (path.includes('explain=true')) expect(found).toMatch(/^200 /)
    else expect(found).toBe(expected)
  })
})

type App = ReturnType<typeof createApp>

async function textOf(app: App, path: string, init?: RequestInit): Promise<string> {
  const response = await app.request(path, init)
  return `${response.status} ${await response.text()}`
}

function appOf(engine: Engine): App {
  return createApp({
    engine,
    version: '0',
    corsOrigins: [],
    limits: { body_bytes: 1_000_000 },
    log: (line) => process.stderr.write(`${line}\n`),
  })
}
