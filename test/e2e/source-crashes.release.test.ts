import { resolve } from 'node:path'
import Database from 'libsql'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { embeddedPlace, type StorePlace } from '../support/databases/store-places.ts'
import { startToyServer, type ToyServer } from '../support/product/toy-platform/toy-server.ts'
import { openToySources, queryFile, type ToySources, until } from '../support/product/toy-platform/toy-sources.ts'
import { startToyProcess, type ToyProcess } from './source-crashes-process.ts'

/** How many notifications come in while a process is killed; each of the 20 bills is changed by several. */
// biome-ignore lint/style/noProcessEnv: how much a run does, no product configuration
const ROUNDS = Number(process.env['NOTIFICATION_ROUNDS'] ?? '60')

let toy: ToyServer
let place: StorePlace
let here: ToySources
let processes: ToyProcess[]

beforeEach(async () => {
  toy = await startToyServer()
  place = await embeddedPlace()
  processes = []
  here = openToySources(place, { url: toy.url, secret: toy.secret })
  const { authorize_url, browser } = await here.sources.beginConsent('toy', undefined)
  const back = await fetch(authorize_url, { redirect: 'manual' })
  await here.sources.endConsent('toy', new URL(back.headers.get('location') ?? '').searchParams, browser)
})
afterEach(async () => {
  for (const each of processes) await each.kill()
  await here.close()
  await toy.close()
  await place.remove()
})

async function start(work: 'serve' | 'backfill'): Promise<ToyProcess> {
  const started = await startToyProcess(work, { url: place.url, baseDirectory: place.baseDirectory }, toy.url)
  processes.push(started)
  return started
}

async function notify(...ids: readonly string[]): Promise<void> {
  const body = JSON.stringify({ events: ids.map((id) => ({ company: '7', entity: 'Bill', id, operation: 'update' })) })
  const header = (name: string) => (name === 'x-webhook-signature' ? toy.sign(body) : undefined)
  const delivery = { address: 'toy', source_id: undefined, body: Buffer.from(body), header }
  expect(await here.sources.receive(delivery)).toMatchObject({ accepted: ids.length })
}

/** Works on the file of the store while others have it open. */
function onFile<T>(work: (database: InstanceType<typeof Database>) => T): T {
  const database = new Database(resolve(place.baseDirectory, place.url.slice('sqlite:'.length)))
  try {
    database.exec('pragma busy_timeout = 10000')
    return work(database)
  } finally {
    database.close()
  }
}

/** Claims of a dead process expire after a time, which the test skips. */
function letTimePass(): void {
  onFile((database) => {
    database.exec(`update inbox set next_attempt_at = '2026-01-01 00:00:00.000' where next_attempt_at is not null`)
    database.exec(`update sync_run set held_until = '2026-01-01 00:00:00.000' where held_until is not null`)
  })
}

const bills = () => queryFile(place, 'select external_id, total_cents from bill order by external_id')
const inbox = () => queryFile(place, 'select entity_id, attempts, error from inbox')

/** Holds back every answer of a kind; the number of requests that wait. */
function holdBack(path: string, from = ''): () => number {
  let held = 0
  toy.intercept(path, (request) => {
    const isHeld = request.url?.endsWith(from) ?? false
    if (isHeld) held += 1
    return isHeld
  })
  return () => held
}

/** A backfill is refused, by the command and by the API. */
async function expectConflict(): Promise<void> {
  await expect(here.sources.pull({ type: 'toy' })).rejects.toMatchObject({ code: 'conflict' })
  await expect(here.sources.backfill('toy-7', {})).rejects.toMatchObject({ code: 'conflict' })
}

describe('a process that is killed', () => {
  it('between inbox and fetch loses nothing', async () => {
    for (const id of ['1', '2']) toy.put({ entity: 'Bill', id, amount: 100 })
    const held = holdBack('records')
    const killed = await start('serve')
    await notify('1', '2')
    await until(() => held() === 2)
    await killed.kill()
    toy.intercept('records', undefined)
    here.sources.start()
    await new Promise((wake) => setTimeout(wake, 300))
    expect(bills()).toEqual([])
    expect(inbox()).toHaveLength(2)
    letTimePass()
    await until(() => inbox().length === 0)
    expect(bills()).toEqual(['1', '2'].map((external_id) => ({ external_id, total_cents: 100 })))
  })

  it('between fetch and write loses nothing and writes nothing twice', async () => {
    toy.put({ entity: 'Bill', id: '1', amount: 100 })
    const killed = await start('serve')
    await notify('0')
    await until(() => inbox().length === 0)
    const asked = toy.asked.get('records') ?? 0
    let isWriting = (): void => {}
    // Somebody else writes while the answer arrives, so that what was fetched cannot be written.
    const database = new Database(resolve(place.baseDirectory, place.url.slice('sqlite:'.length)))
    const fetched = new Promise<void>((done) => (isWriting = done))
    toy.intercept('records', () => {
      database.exec('begin immediate')
      setTimeout(isWriting, 300)
      return false
    })
    await notify('1')
    await fetched
    await killed.kill()
    database.exec('rollback')
    database.close()
    toy.intercept('records', undefined)
    expect(bills()).toEqual([])
    expect(inbox()).toMatchObject([{ entity_id: '1' }])
    letTimePass()
    here.sources.start()
    await until(() => inbox().length === 0)
    expect(bills()).toEqual([{ external_id: '1', total_cents: 100 }])
    expect(toy.asked.get('records')).toBe(asked + 2)
  })

  it('in a page of a backfill is followed by one that goes on there', async () => {
    for (let number = 0; number < 45; number++) toy.put({ entity: 'Bill', id: String(100 + number), amount: number })
    const held = holdBack('pages', 'from=30')
    const killed = await start('backfill')
    await until(() => held() === 1)
    await expectConflict()
    await killed.kill()
    toy.intercept('pages', undefined)
    const [cutOff] = queryFile(place, 'select id, progress from sync_run')
    expect(cutOff?.['progress']).toBe('{"from":30}')
    // Nobody can tell yet that the process is dead.
    await expectConflict()
    letTimePass()
    const before = toy.asked.get('pages') ?? 0
    const [report] = await here.sources.pull({ type: 'toy' })
    expect(report).toMatchObject({ status: 'succeeded', run: { id: cutOff?.['id'], counts: { bill: 45 } } })
    expect((toy.asked.get('pages') ?? 0) - before).toBe(2)
    expect(bills()).toHaveLength(45)
  })
})

describe('a backfill that was cut off', () => {
  it('goes on once, although two ask for it at the same time', async () => {
    for (let number = 0; number < 45; number++) toy.put({ entity: 'Bill', id: String(100 + number), amount: number })
    const held = holdBack('pages', 'from=30')
    const killed = await start('backfill')
    await until(() => held() === 1)
    await killed.kill()
    letTimePass()
    const [cutOff] = queryFile(place, 'select id from sync_run')
    const beside = openToySources(place, { url: toy.url, secret: toy.secret })
    try {
      const asked = [here, beside].map(({ sources }) => sources.backfill('toy-7', {}))
      const answers = await Promise.allSettled(asked)
      const begun = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
      const refused = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []))
      expect(begun).toEqual([{ status: 'started', source_id: 'toy-7', run_id: cutOff?.['id'] }])
      expect(refused).toMatchObject([{ code: 'conflict' }])
      await expectConflict()
    } finally {
      toy.intercept('pages', undefined)
      await beside.close()
    }
  })
})

it('a process that is asked to stop lets go at once what it has taken', async () => {
  toy.put({ entity: 'Bill', id: '1', amount: 100 })
  const held = holdBack('records')
  const stopped = await start('serve')
  await notify('1')
  await until(() => held() === 1)
  expect(await stopped.stop()).toBe(0)
  expect(inbox()).toEqual([{ entity_id: '1', attempts: 0, error: null }])
  toy.intercept('records', undefined)
  here.sources.start()
  await until(() => inbox().length === 0)
  expect(bills()).toHaveLength(1)
})

it('of several processes that find the token expired one renews it', async () => {
  const ids = Array.from({ length: 30 }, (_, index) => String(100 + index))
  for (const id of ids) toy.put({ entity: 'Bill', id, amount: 1 })
  await start('serve')
  await start('serve')
  const before = toy.renewals()
  toy.expire()
  await notify(...ids)
  await until(() => inbox().length === 0)
  expect(toy.renewals() - before).toBe(1)
  expect(bills()).toHaveLength(30)
  expect(queryFile(place, 'select status from source')).toEqual([{ status: 'connected' }])
})

it('under steady notifications one of two processes is killed: in the end every bill equals the one on the platform', async () => {
  const ids = Array.from({ length: 20 }, (_, index) => String(100 + index))
  await start('serve')
  const killed = await start('serve')
  for (let round = 0; round < ROUNDS; round++) {
    const id = ids[round % ids.length] ?? ''
    toy.put({ entity: 'Bill', id, amount: round + 1 })
    await notify(id)
    if (round === ROUNDS / 2) await killed.kill()
    await new Promise((wake) => setTimeout(wake, 10))
  }
  letTimePass()
  await until(() => inbox().length === 0)
  const wanted = toy.records().map(({ id, amount }) => ({ external_id: id, total_cents: amount }))
  expect(bills()).toEqual(wanted)
})
