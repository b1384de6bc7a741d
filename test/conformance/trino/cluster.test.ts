import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createKillbillConnector } from '../../../connectors/killbill/index.ts'
import { createPublications } from '../../../src/cache/lake/publications.ts'
import { type PublishOptions, publish } from '../../../src/cache/lake/publish.ts'
import { trino } from '../../../src/compiler/dialects/trino.ts'
import { sql } from '../../../src/compiler/fragment.ts'
import { statementOf } from '../../../src/connector-kit/query-runner.ts'
import type { Executor } from '../../../src/ports/executor.ts'
import { bodyOf, everyMetric } from '../../parity/every-metric.ts'
import { sharedReal } from '../../support/data/killbill/recorded-database.ts'
import { describeTrinoCluster, postgresOfTrino } from '../../support/databases/servers/shared-trino.ts'
import { eventually, type RunningServer } from '../../support/databases/servers/start-server.ts'
import type { TrinoCluster } from '../../support/databases/servers/trino.ts'
import type { TestDatabase } from '../../support/databases/targets.ts'
import { copyToTrino, type TrinoSchema } from '../../support/databases/trino-copy.ts'
import { LAST_YEAR, publishedCache, publishOptions } from '../../support/product/publication.ts'
import { engineOver } from '../../support/product/recorded-engine.ts'

const connector = createKillbillConnector({ tenant: ['all'], catalog: [] })
const STOP = new AbortController().signal
/** Keeps all processors of a worker busy for longer than any test. */
const ENDLESS = sql`select count(*) as n from unnest(sequence(1, 10000)) as a (i) cross join unnest(sequence(1, 10000)) as b (i)
cross join unnest(sequence(1, 10000)) as c (i) where a.i + b.i + c.i = 7`

describeTrinoCluster('a coordinator and its workers', (start) => {
  const place = { catalog: 'lake', schema: `pl_${randomBytes(6).toString('hex')}` }
  const told: string[] = []
  const failures: unknown[] = []
  let cluster: TrinoCluster
  let worker: RunningServer
  let source: TestDatabase
  let copy: TrinoSchema
  let writer: Executor
  let options: PublishOptions

  beforeAll(async () => {
    source = await sharedReal(postgresOfTrino())
    cluster = await start()
    worker = await cluster.addWorker()
    copy = await copyToTrino(cluster, source)
    writer = copy.executor({ trino: { mayWrite: true }, poolSize: 4 })
    options = publishOptions({ connector, writer, billing: { catalog: 'lake', schema: copy.schema }, place, told, failures })
  })
  afterAll(async () => {
    await writer?.close()
    await cluster?.close()
  })

  const publications = () => createPublications(writer, place)
  const replaceWorker = async () => {
    await worker.stop('SIGKILL')
    worker = await cluster.addWorker()
  }
  /** Compares every metric of the newest publication with the billing database. */
  const compareAll = async (published: PublishOptions) => {
    const direct = await engineOver(source, { tenant: ['all'] })
    const lake = await engineOver(source, { tenant: ['all'], cache: () => publishedCache(published, copy.executor()) })
    try {
      for (const { name, ask } of everyMetric(LAST_YEAR))
        expect([name, bodyOf(await ask(lake))]).toEqual([name, bodyOf(await ask(direct))])
    } finally {
      await Promise.all([direct.close(), lake.close()])
    }
  }

  it('the coordinator takes no work', async () => {
    const nodes = await copy.run('select coordinator, count(*) as n from system.runtime.nodes group by 1 order by 1')
    expect(nodes).toEqual([
      { coordinator: false, n: '1' },
      { coordinator: true, n: '1' },
    ])
  })

  /** Publishes, and kills the worker when the rows are copied. Resolves when there is another one. */
  const publishWithoutWorker = async (given: PublishOptions) => {
    let replacing: Promise<void> | undefined
    const onProgress = (text: string) => {
      if (text.includes('are copied')) replacing ??= replaceWorker()
    }
    const made = await publish({ ...given, onProgress }, STOP).finally(() => replacing)
    expect(replacing).toBeDefined()
    return made
  }

  it('a worker that is killed in a step: the step is made again, and all numbers are right', async () => {
    const made = await publishWithoutWorker(options)
    expect(failures.length).toBeGreaterThan(0)
    expect(failures.map((error) => (error as { code?: string }).code)).toEqual(failures.map(() => 'connector_unavailable'))
    expect((await publications().list()).map(({ id }) => id)).toEqual([made.id])
    await compareAll(options)
  })

  it('with lake.fault_tolerant, Trino itself makes the tasks of the worker again, and no step fails', async () => {
    const tolerant = copy.executor({ trino: { mayWrite: true, isFaultTolerant: true }, poolSize: 4 })
    try {
      failures.length = 0
      const apart = { ...options, writer: tolerant, place: { ...place, schema: `${place.schema}_t` } }
      await publishWithoutWorker(apart)
      expect(failures).toEqual([])
      await compareAll(apart)
    } finally {
      await tolerant.close()
    }
  })

  it('a worker that is killed in a question ends it with 503, and never with a part of its rows', async () => {
    const reader = copy.executor()
    try {
      const asked = reader.withSnapshot((snapshot) => snapshot.query(statementOf(ENDLESS, trino, 'endless')))
      const refused = expect(asked).rejects.toMatchObject({ code: 'connector_unavailable' })
      await eventually(async () => {
        const running = await copy.run(
          "select count(*) as n from system.runtime.queries where state = 'RUNNING' and query like '%10000%'",
        )
        expect(Number(running[0]?.['n'])).toBeGreaterThan(1)
      })
      await worker.stop('SIGKILL')
      await refused
    } finally {
      await reader.close()
      worker = await cluster.addWorker()
    }
    await compareAll(options)
  })

  it('a coordinator that starts again answers from the same publication', async () => {
    const [before] = await publications().list()
    await cluster.restartCoordinator()
    expect((await publications().list())[0]?.id).toBe(before?.id)
    await compareAll(options)
  })

  it('a coordinator that is killed in a publication ends it, and the earlier publication answers', async () => {
    const [before] = await publications().list()
    let restarted: Promise<void> | undefined
    const killing: PublishOptions = {
      ...options,
      onProgress(text) {
        if (text.includes('are copied')) restarted ??= cluster.restartCoordinator()
      },
    }
    const ended = await publish(killing, STOP).catch((error: unknown) => error)
    await restarted
    // A coordinator that is back within the tries of a step lets the publication end well.
    const [newest] = await publications().list()
    expect(newest?.id).toBe(ended instanceof Error ? before?.id : (ended as { id: string }).id)
    await compareAll(options)
  })
})
