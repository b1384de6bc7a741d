import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import type { DeliveryParts } from '../../src/facades/deliveries/parts.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { firstEngineAndOneOther } from '../support/databases/rotation.ts'
import { engineOver } from '../support/product/recorded-engine.ts'
import { DAILY, type Receivers, receivers, type Sending, sealingStore, sendingOver } from '../support/product/sending.ts'

firstEngineAndOneOther('the worker of deliveries', (target) => {
  let kept: Awaited<ReturnType<typeof sealingStore>>
  let all: Receivers
  const engines: Engine[] = []
  let sending: Sending
  const opened = async () => {
    const engine = await engineOver(await sharedReal(target), { tenant: ['alpha'], store: kept.open() })
    engines.push(engine)
    return engine
  }
  beforeAll(async () => {
    ;[kept, all] = [await sealingStore(target), await receivers()]
    await opened()
    await opened()
  })
  beforeEach(async () => {
    sending = over(0)
    for (const { id } of await sending.deliveries.list()) await sending.deliveries.remove(id)
  })
  afterAll(async () => {
    await Promise.all([all.close(), ...engines.map((engine) => engine.close())])
    await kept.place.remove()
  })
  const over = (place: number, options: Partial<DeliveryParts> = {}) => sendingOver(engines[place] as Engine, all, options)
  const daily = async (to: readonly object[] = [{ kind: 'mail', address: 'finance@example.com' }], more: object = {}) => {
    const made = await sending.ask('POST', 'deliveries', { name: 'Daily', briefing: 'weekly', when: DAILY, to, ...more })
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    return made.body.id as string
  }
  const runsOf = async (id: string) =>
    (await sending.ask('GET', `deliveries/${id}/runs`)).body as readonly {
      readonly slot: string
      readonly status: string
      readonly error: string | null
      readonly attempts: number
      readonly next_attempt_at: string | null
    }[]
  const engineWith = (change: Partial<Engine>): Engine => ({ ...(engines[0] as Engine), ...change })
  const behind = (lag_seconds: number) =>
    engineWith({
      readiness: async () => {
        const known = await (engines[0] as Engine).readiness()
        return {
          ...known,
          checks: { ...known.checks, replica: { ...known.checks.replica, ok: lag_seconds <= 300, role: 'replica', lag_seconds } },
        }
      },
    })

  it('sends each slot once, whatever the number of processes', async () => {
    const id = await daily()
    const others = [over(0), over(1), over(1), over(0)]
    const before = all.mail.received.length
    for (const day of ['2026-11-21', '2026-11-22', '2026-11-23'])
      await Promise.all(others.map((other) => other.runAt(`${day}T07:00:01Z`)))
    expect(all.mail.received.length - before).toBe(3)
    expect((await runsOf(id)).map(({ slot, status }) => [slot, status])).toEqual([
      ['2026-11-23T07:00', 'sent'],
      ['2026-11-22T07:00', 'sent'],
      ['2026-11-21T07:00', 'sent'],
    ])
    expect(new Set(all.mail.received.slice(before).map(({ mail }) => mail.messageId)).size).toBe(3)
    expect(others.flatMap(({ failures }) => failures)).toEqual([])
  })

  it('makes up only the newest slot after downtime, says that it is late, and says which were missed', async () => {
    const id = await daily()
    await sending.runAt('2026-11-21T07:00:00Z')
    const before = all.mail.received.length
    // The service starts again after days, as another process.
    await over(1).runAt('2026-11-25T19:30:00Z')
    expect((await runsOf(id)).map(({ slot, status }) => `${slot} ${status}`)).toEqual([
      '2026-11-25T07:00 sent',
      ...['2026-11-24T07:00 missed', '2026-11-23T07:00 missed', '2026-11-22T07:00 missed', '2026-11-21T07:00 sent'],
    ])
    expect((await runsOf(id))[1]?.error).toBe('The service did not run at that time.')
    const [mail, ...more] = all.mail.received.slice(before)
    expect(more).toEqual([])
    expect(mail?.mail.text).toContain('This is late: it was due on 2026-11-25 at 07:00 (UTC).')
    const monthly = await daily(undefined, { when: { every: 'month', day: 1, hour: 7, zone: 'UTC' } })
    // Not within 24 hours.
    await sending.runAt('2026-12-02T07:00:01Z')
    expect(await runsOf(monthly)).toMatchObject([{ slot: '2026-12-01T07:00', status: 'missed' }])
  })

  it('waits for a replica that lags, for two hours, and then says how old the data is', async () => {
    const id = await daily()
    const lagging = sendingOver(behind(3_900), all)
    const before = all.mail.received.length
    await lagging.runAt('2026-11-21T07:00:00Z')
    const [run] = await runsOf(id)
    expect(run).toMatchObject({ status: 'waiting', attempts: 0, next_attempt_at: '2026-11-21T07:01:00.000Z' })
    expect(run?.error).toContain('Waits up to two hours for newer data. The data is 1 hour 5 minutes old.')
    await lagging.runAt('2026-11-21T08:59:00Z')
    expect(all.mail.received.length).toBe(before)
    await lagging.runAt('2026-11-21T09:00:00Z')
    const text = all.mail.received.at(-1)?.mail.text ?? ''
    expect(all.mail.received.length).toBe(before + 1)
    expect(text.indexOf('The data is 1 hour 5 minutes old.')).toBeLessThan(text.indexOf('MRR'))
    // One that has caught up sends at once.
    await sendingOver(behind(4_000), all).runAt('2026-11-22T07:00:00Z')
    await sendingOver(behind(20), all).runAt('2026-11-22T07:01:00Z')
    expect(all.mail.received.at(-1)?.mail.text).not.toContain('Please note')
    expect((await runsOf(id))[0]).toMatchObject({ slot: '2026-11-22T07:00', status: 'sent' })
  })

  it('tries again after 1, 5 and 30 minutes, sends to nobody twice, and then is marked in /readyz', async () => {
    const id = await daily([
      { kind: 'mail', address: 'finance@example.com' },
      { kind: 'webhook', form: 'json', url: all.hook.url },
      { kind: 'webhook', form: 'teams', url: all.teams.url },
    ])
    const before = [all.mail.received.length, all.hook.hooks.length, all.teams.hooks.length]
    const counts = () =>
      [all.mail.received.length, all.hook.hooks.length, all.teams.hooks.length].map(
        (count, place) => count - (before[place] ?? 0),
      )
    all.hook.double.answer = { status: 500 }
    await sending.runAt('2026-11-21T07:00:00Z')
    expect(counts()).toEqual([1, 0, 1])
    expect(await runsOf(id)).toMatchObject([
      {
        status: 'waiting',
        attempts: 1,
        next_attempt_at: '2026-11-21T07:01:00.000Z',
        error: expect.stringContaining('status 500'),
      },
    ])
    await sending.runAt('2026-11-21T07:01:00Z')
    await sending.runAt('2026-11-21T07:06:00Z')
    expect(await runsOf(id)).toMatchObject([{ attempts: 3, next_attempt_at: '2026-11-21T07:36:00.000Z' }])
    await sending.runAt('2026-11-21T07:36:00Z')
    expect(await runsOf(id)).toMatchObject([{ status: 'failed', attempts: 4, next_attempt_at: null }])
    expect(JSON.stringify(await runsOf(id))).not.toContain('hidden')
    expect(counts()).toEqual([1, 0, 1])
    expect((await (engines[0] as Engine).readiness()).checks.deliveries).toEqual({ ok: false, failed: [id] })

    delete all.hook.double.answer
    await sending.runAt('2026-11-22T07:00:00Z')
    expect(counts()).toEqual([2, 1, 2])
    expect((await (engines[0] as Engine).readiness()).checks.deliveries).toEqual({ ok: true, failed: [] })
  })

  it('sends again under the same id if a process dies between sending and noting', async () => {
    const id = await daily()
    const store = await (engines[0] as Engine).deliveries.store()
    const dying = engineWith({
      deliveries: {
        ...(engines[0] as Engine).deliveries,
        // The process ends here: it notes nothing more, and holds its run.
        store: async () => ({ ...store, noteAccepted: () => new Promise(() => {}), holdRun: async () => true }),
      },
    })
    const before = all.mail.received.length
    void sendingOver(dying, all, { holdMs: 60_000 }).runAt('2026-11-21T07:00:00Z')
    while (all.mail.received.length === before) await new Promise((resolve) => setTimeout(resolve, 20))
    expect(await over(1).runAt('2026-11-21T07:00:59Z')).toEqual([])
    expect(await over(1).runAt('2026-11-21T07:01:00Z')).toEqual([id])
    const sent = all.mail.received.slice(before).map(({ mail }) => mail.messageId)
    expect(sent).toEqual([sent[0], sent[0]])
    expect(await runsOf(id)).toMatchObject([{ status: 'sent', attempts: 1 }])
  })

  it('gives its runs back when it stops, and sends nothing for a delivery that is switched off meanwhile', async () => {
    const id = await daily([{ kind: 'webhook', form: 'json', url: all.hook.url }])
    all.hook.double.delayMs = 2_000
    const before = all.hook.hooks.length
    const clock = { at: new Date('2026-11-21T07:00:00Z') }
    const service = sendingOver(engines[0] as Engine, all, { now: () => clock.at, lookMs: 20 })
    service.deliveries.start()
    while (all.hook.hooks.length === before) await new Promise((resolve) => setTimeout(resolve, 20))
    await service.deliveries.close()
    delete all.hook.double.delayMs
    expect(await runsOf(id)).toMatchObject([{ status: 'waiting', next_attempt_at: '2026-11-21T07:00:00.000Z' }])
    await sending.ask('PUT', `deliveries/${id}`, { enabled: false })
    await sending.runAt('2026-11-21T07:05:00Z')
    expect(await runsOf(id)).toMatchObject([{ status: 'missed', error: 'The delivery was switched off.' }])
  })
})
