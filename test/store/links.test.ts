import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StoredLink } from '../../src/ports/link-store.ts'
import type { Store } from '../../src/ports/store.ts'
import { createStore } from '../../src/workspace/store/create-store.ts'
import { type StorePlace, storePlaces } from '../support/databases/store-places.ts'

const linkOf = (change: Partial<StoredLink> = {}): StoredLink => ({
  ...{ id: randomUUID(), kind: 'page', dashboard_id: randomUUID(), chart_id: null, moment: 'fixed', names: false },
  creator: { id: 'oidc:ann ', kind: 'oidc', name: 'Ann 🙂' },
  ...{ created_at: '2026-01-01T00:00:00.123Z', expires_at: '2027-01-01T00:00:00.456Z', revoked_at: null, opened_at: null },
  ...change,
})
const digest = () => `${randomUUID()}${randomUUID()}`.replaceAll('-', '')

describe.each(storePlaces(['postgres', 'mariadb', 'mysql', 'sqlite']))('links in a store on %s', (_, makePlace) => {
  let place: StorePlace
  let store: Store
  beforeAll(async () => {
    place = await makePlace()
    store = createStore({ url: place.url, schema: 'side', baseDirectory: place.baseDirectory })
  })
  afterAll(async () => {
    await store.close()
    await place.remove()
  })
  const linksOf = (name: string) => {
    const found = store.inWorkspace?.({ name, source_ids: [] })
    if (found === undefined) throw new Error('the store has no workspaces')
    return found.links
  }

  it('are found by their digest as they were stored, newest first, and in no other workspace', async () => {
    const [own, other] = [linksOf('one'), linksOf('two')]
    const [first, second] = [
      linkOf({ names: true, kind: 'feed', dashboard_id: null, chart_id: randomUUID(), moment: 'live' }),
      linkOf({ created_at: '2026-01-02T00:00:00.000Z', creator: { id: 'command_line', kind: 'command_line', name: null } }),
    ]
    // As long as a kept briefing may be.
    const kept = JSON.stringify({ text: '🙂'.repeat(16_000) })
    const secrets = [
      { digest: digest(), kept: null },
      { digest: digest(), kept },
    ] as const
    await own.create(first, secrets[0], 10)
    await own.create(second, secrets[1], 10)
    expect(await own.list()).toEqual([second, first])
    expect(await own.find(secrets[0].digest)).toEqual({ link: first, ...secrets[0] })
    expect(await own.find(secrets[1].digest)).toEqual({ link: second, ...secrets[1] })
    expect([await other.list(), await other.find(secrets[0].digest), await other.revoke(first.id, first.created_at)]).toEqual([
      [],
      undefined,
      false,
    ])

    await own.noteOpened(first.id, '2026-01-03T00:00:00.000Z')
    await own.noteOpened(first.id, '2026-01-02T00:00:00.000Z')
    await other.noteOpened(second.id, '2026-01-02T00:00:00.000Z')
    expect((await own.list()).map(({ opened_at }) => opened_at)).toEqual([null, '2026-01-03T00:00:00.000Z'])
    // A revoked link keeps no briefing, and is revoked once.
    expect(await own.revoke(second.id, '2026-01-04T00:00:00.000Z')).toBe(true)
    expect(await own.revoke(second.id, '2026-01-05T00:00:00.000Z')).toBe(false)
    expect(await own.revoke('\0', '2026-01-05T00:00:00.000Z')).toBe(false)
    const revoked = { ...second, revoked_at: '2026-01-04T00:00:00.000Z' }
    expect(await own.find(secrets[1].digest)).toEqual({ link: revoked, digest: secrets[1].digest, kept: null })
  })

  it('have an end, and revoked and expired ones do not count', async () => {
    const links = linksOf('three')
    const make = (change: Partial<StoredLink> = {}) => links.create(linkOf(change), { digest: digest(), kept: null }, 2)
    const ended = linkOf()
    await links.create(ended, { digest: digest(), kept: null }, 2)
    await links.revoke(ended.id, '2026-01-01T01:00:00.000Z')
    await make({ created_at: '2024-01-01T00:00:00.000Z', expires_at: '2024-02-01T00:00:00.000Z' })
    await make()
    await make()
    await expect(make()).rejects.toMatchObject({ code: 'conflict', context: { limit: 2 } })
  })
})
