import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { webhookProblem } from '../../src/app/channels/webhook.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { oneEngineInRotation } from '../support/databases/rotation.ts'
import { engineOver } from '../support/product/recorded-engine.ts'
import { DAILY, MONDAYS, type Receivers, receivers, type Sending, sealingStore, sendingOver } from '../support/product/sending.ts'

oneEngineInRotation('deliveries', (target) => {
  let engine: Engine
  let kept: Awaited<ReturnType<typeof sealingStore>>
  let all: Receivers
  let sending: Sending
  beforeAll(async () => {
    ;[kept, all] = [await sealingStore(target), await receivers()]
    engine = await engineOver(await sharedReal(target), { tenant: ['alpha'], store: kept.open() })
  })
  beforeEach(async () => {
    sending = sendingOver(engine, all)
    for (const { id } of await sending.deliveries.list()) await sending.deliveries.remove(id)
  })
  afterAll(async () => {
    await Promise.all([all.close(), engine.close()])
    await kept.place.remove()
  })

  const toAll = () => [
    { kind: 'mail', address: 'finance@example.com' },
    { kind: 'slack' },
    { kind: 'webhook', form: 'slack', url: all.slack.url },
    { kind: 'webhook', form: 'teams', url: all.teams.url },
    { kind: 'webhook', form: 'json', url: all.hook.url },
  ]
  const weekly = (to: readonly object[] = [{ kind: 'mail', address: 'finance@example.com' }], more: object = {}) => ({
    ...{ name: 'Every Monday', briefing: 'weekly', when: MONDAYS, to },
    ...more,
  })
  const created = async (body: object) => {
    const made = await sending.ask('POST', 'deliveries', body)
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    return made.body as { readonly id: string; readonly signing_key: string | null }
  }
  const lastRun = async (id: string) => (await sending.ask('GET', `deliveries/${id}/runs`)).body[0]

  it('tests each receiver, sends the briefing to each, and keeps the addresses to itself', async () => {
    const before = all.count()
    const { id, signing_key } = await created(weekly(toAll()))
    expect(all.count() - before).toBe(5)
    expect(all.mail.received.at(-1)?.mail.subject).toBe('Test of a delivery')
    expect(signing_key).toMatch(/^[\w-]{43}$/)
    const shown = await sending.ask('GET', `deliveries/${id}`)
    expect(shown.body).toMatchObject({ next_at: '2026-11-23T06:00:00.000Z', last_run: null, enabled: true })
    expect(shown.body.to).toMatchObject([
      ...[{ kind: 'mail', address: 'finance@example.com' }, { kind: 'slack' }],
      ...[
        { kind: 'webhook', form: 'slack', host: expect.stringMatching(/^127\.0\.0\.1:\d+$/) },
        { form: 'teams' },
        { form: 'json' },
      ],
    ])
    // Neither answers nor the store in clear nor the log have a secret.
    expect(JSON.stringify([shown.body, (await sending.ask('GET', 'deliveries')).body, sending.logged])).not.toMatch(/hidden/)
    const store = await engine.deliveries.store()
    const stored = JSON.stringify([await store.list(), await store.secrets(id)])
    expect(stored).not.toMatch(/hidden/)
    expect(stored).not.toContain(signing_key)

    expect(await sending.runAt('2026-11-23T05:59:59Z')).toEqual([])
    expect(await sending.runAt('2026-11-23T06:00:00Z')).toEqual([id])
    expect(all.count() - before).toBe(10)
    expect(await lastRun(id)).toMatchObject({ slot: '2026-11-23T07:00', status: 'sent', attempts: 1, error: null })
    const mail = all.mail.received.at(-1)?.mail
    expect(mail?.subject).toMatch(/^The week from 2026-11-09 to 2026-11-15: MRR [\d,.]+ USD$/)
    expect(mail?.messageId).toBe(`<${id}.2026-11-23T07-00@example.com>`)

    // All forms have the figure of the API.
    const summary = (await sending.ask('GET', 'metrics/summary?end=2026-11-15')).body as { readonly mrr: number }
    const mrr = (summary.mrr / 100).toLocaleString('en-US', { minimumFractionDigits: 2 })
    const hook = all.hook.hooks.at(-1)
    const json = JSON.parse(hook?.body ?? '')
    expect(json).toMatchObject({ delivery: { id, name: 'Every Monday' }, run: '2026-11-23T07:00', briefing: { name: 'weekly' } })
    expect(json.briefing.blocks[0].figures[0]).toMatchObject({ title: 'MRR', value: summary.mrr })
    expect(mail?.text).toContain(mrr)
    expect(JSON.stringify(all.slack.posts.slice(-2))).toContain(mrr)
    expect(all.teams.hooks.at(-1)?.body).toContain(mrr)

    const [, timestamp, signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(hook?.headers['x-plumbline-signature'])) ?? []
    const own = createHmac('sha256', String(signing_key)).update(`${timestamp}.${hook?.body}`).digest('hex')
    expect(signature).toBe(own)
    expect(hook?.headers['x-plumbline-delivery']).toBe(`${id}/2026-11-23T07:00`)
    expect(await sending.runAt('2026-11-23T06:01:00Z')).toEqual([])
    expect(sending.failures).toEqual([])
  })

  it.each([
    ['no receiver', { to: [] }, 'body.to', '1 to 20 receivers'],
    ['an unknown briefing', { briefing: 'monthly' }, 'body.briefing', 'must be one of weekly, board; got "monthly"'],
    ['nothing to send', { briefing: null }, 'body.briefing', 'needs a briefing, a condition, or both'],
    ['an unknown zone', { when: { ...MONDAYS, zone: 'Mars/Base' } }, 'body.when.zone', 'the name of a time zone'],
    ['a wrong hour', { when: { ...MONDAYS, hour: 24 } }, 'body.when.hour', '0 to 23'],
    ['an unknown field of a part', { when: { ...MONDAYS, name: 'x' } }, 'body.when.name', 'Unknown field "name"'],
    ['a day of a week for days', { when: { ...DAILY, weekday: 'monday' } }, 'body.when.weekday', 'Unknown field'],
    [
      'a foreign domain',
      { to: [{ kind: 'mail', address: 'a@elsewhere.com' }] },
      'body.to.0.address',
      'mail.domains are example.com',
    ],
    [
      'two addresses in one',
      { to: [{ kind: 'mail', address: 'a@example.com,b@example.com' }] },
      'body.to.0.address',
      'one address',
    ],
    [
      'a second header',
      { to: [{ kind: 'mail', address: 'a@example.com\r\nBcc: b@example.com' }] },
      'body.to.0.address',
      'one address',
    ],
    ['a receiver twice', { to: [{ kind: 'slack' }, { kind: 'slack' }] }, 'body.to.1', 'named twice'],
    [
      'plain http',
      { to: [{ kind: 'webhook', form: 'json', url: 'http://hooks.example.com/hidden' }] },
      'body.to.0.url',
      'https://',
    ],
    [
      'this machine',
      { to: [{ kind: 'webhook', form: 'json', url: 'https://localhost/hidden' }] },
      'body.to.0.url',
      'private network',
    ],
    ['a webhook without an address', { to: [{ kind: 'webhook', form: 'json' }] }, 'body.to.0.url', 'needs a "url"'],
    ['an unknown segment', { segment: 'nobody' }, 'body.segment', 'No segment has the id or name "nobody"'],
    ['a mailbox that is gone', { to: [{ kind: 'mail', address: 'gone@example.com' }] }, 'body.to.0', 'No such mailbox'],
  ])('refuses %s, and saves nothing', async (_name, change, where, message) => {
    const { status, body } = await sending.ask('POST', 'deliveries', weekly(undefined, change))
    expect([status, body.code], JSON.stringify(body)).toEqual([422, 'validation_failed'])
    expect(body.issues).toContainEqual(expect.objectContaining({ where, message: expect.stringContaining(message) }))
    expect(JSON.stringify(body)).not.toMatch(/hidden/)
    expect((await sending.ask('GET', 'deliveries')).body).toEqual([])
  })

  it('follows no redirect, waits no longer than its limit, and quotes no secret', async () => {
    const to = [{ kind: 'webhook', form: 'json', url: all.hook.url }]
    const before = all.hook.hooks.length
    for (const [answer, said] of [
      [{ status: 302, location: all.teams.url }, 'it redirects (status 302)'],
      [{ status: 404, body: `no hook at ${all.hook.url}` }, 'it answers with status 404'],
      [{ status: 403, body: 'invalid_token' }, 'it answers with status 403 (invalid_token)'],
    ] as const) {
      all.hook.double.answer = answer
      const { status, body } = await sending.ask('POST', 'deliveries', weekly(to)).finally(() => delete all.hook.double.answer)
      expect([status, body.detail]).toEqual([422, expect.stringContaining(said)])
      expect(JSON.stringify(body)).not.toMatch(/hidden/)
    }
    expect(all.hook.hooks.length).toBe(before)
    expect(webhookProblem(all.hook.url, { hosts: [] })).toBeDefined()
  })

  it('changes what is named, tests only new receivers, and begins a new schedule later', async () => {
    const { id, signing_key } = await created(weekly(toAll()))
    const { to } = (await sending.ask('GET', `deliveries/${id}`)).body as { readonly to: readonly { readonly id: string }[] }
    const before = all.count()
    sending.clock.at = new Date('2026-11-20T13:00:00Z')
    const [teams, json] = [to[3]?.id, to[4]?.id]
    const changed = await sending.ask('PUT', `deliveries/${id}`, {
      name: 'Daily',
      when: DAILY,
      to: [
        { kind: 'webhook', form: 'teams', id: teams },
        { kind: 'webhook', form: 'json', id: json },
        { kind: 'mail', address: 'board@example.com' },
      ],
    })
    expect([changed.status, changed.body.status, changed.body.signing_key]).toEqual([200, 'updated', null])
    expect(all.count() - before).toBe(1)
    // The hour of today has passed before the change.
    expect(await sending.runAt('2026-11-20T14:00:00Z')).toEqual([])
    expect(await sending.runAt('2026-11-21T07:00:00Z')).toEqual([id])
    expect(all.count() - before).toBe(4)
    const hook = all.hook.hooks.at(-1)
    const [, timestamp, signature] = /^t=(\d+),v1=(\w+)$/.exec(String(hook?.headers['x-plumbline-signature'])) ?? []
    expect(signature).toBe(createHmac('sha256', String(signing_key)).update(`${timestamp}.${hook?.body}`).digest('hex'))
    const foreign = await sending.ask('PUT', `deliveries/${id}`, { to: [{ kind: 'webhook', form: 'slack', id: teams }] })
    expect(foreign.status).toBe(422)
    await sending.ask('PUT', `deliveries/${id}`, { enabled: false })
    expect(await sending.runAt('2026-11-22T07:00:00Z')).toEqual([])
    expect((await sending.ask('DELETE', `deliveries/${id}`)).body).toEqual({ status: 'deleted' })
    for (const [method, path] of [
      ['GET', ''],
      ['PUT', ''],
      ['DELETE', ''],
      ['POST', '/test'],
      ['POST', '/preview'],
      ['GET', '/runs'],
    ] as const)
      expect((await sending.ask(method, `deliveries/${id}${path}`, method === 'PUT' ? {} : undefined)).status).toBe(404)
  })

  it('shows what a run would send, and sends tests when asked', async () => {
    const { id } = await created(weekly())
    const before = all.count()
    const { body } = await sending.ask('POST', `deliveries/${id}/preview`)
    expect(body).toMatchObject({
      sends: true,
      reason: null,
      subject: expect.stringMatching(/^The week from/),
      html: expect.stringContaining('<table'),
    })
    expect([all.count(), await lastRun(id)]).toEqual([before, undefined])
    expect((await sending.ask('POST', `deliveries/${id}/test`)).body).toEqual({ status: 'sent' })
    expect(all.count()).toBe(before + 1)
  })

  it('keeps deliveries of other workspaces apart', async () => {
    const { id } = await created(weekly([{ kind: 'webhook', form: 'json', url: all.hook.url }]))
    const beta = await engineOver(await sharedReal(target), { tenant: ['beta'], store: kept.open() })
    const shared = sendingOver(beta, all)
    expect((await shared.ask('GET', 'deliveries')).body).toEqual([])
    for (const path of ['', '/runs']) expect((await shared.ask('GET', `deliveries/${id}${path}`)).status).toBe(404)
    expect((await shared.ask('POST', `deliveries/${id}/test`)).status).toBe(404)
    expect((await shared.ask('DELETE', `deliveries/${id}`)).status).toBe(404)
    expect(await shared.runAt('2026-11-23T06:00:00Z')).toEqual([])
    // Sealed text of one delivery opens nothing of another.
    const sealed = await (await engine.deliveries.store()).secrets(id)
    await expect(beta.deliveries.open(id, sealed)).rejects.toThrow('sealed with another key')
    expect(await sending.runAt('2026-11-23T06:00:00Z')).toEqual([id])
    await beta.close()
  })
})
