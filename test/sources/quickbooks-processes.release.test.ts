import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { replaceSecrets } from '../../src/workspace/expenses/sources/connectors.ts'
import { createStore } from '../../src/workspace/store/create-store.ts'
import { ownedIn, type StorePlace, storePlaces, WORKSPACE } from '../support/databases/store-places.ts'
import { childCommand } from '../support/product/child-program.ts'
import { consentTo, platformFor, settingsFor } from '../support/product/intuit/connected-platform.ts'
import { type Intuit, startIntuit } from '../support/product/intuit/server.ts'
import { keptIn, type RenewingTask } from './renewing-task.ts'

const PROGRAM = fileURLToPath(new URL('./renewing-process.ts', import.meta.url))
const REALM = '4620'
const ROUNDS = 6

describe.each(storePlaces(['sqlite', 'postgres']))('two processes with one connection, tokens in %s', (_kind, makePlace) => {
  let place: StorePlace
  let intuit: Intuit
  let children: readonly ChildProcess[] = []

  beforeAll(async () => {
    place = await makePlace()
    intuit = await startIntuit({ atOnce: 100 })
    intuit.company(REALM).put('Vendor', { Id: '7', DisplayName: 'V', Active: true })
  })
  afterAll(async () => {
    const ends = children.map((child) => once(child, 'exit'))
    for (const child of children) child.disconnect()
    await Promise.all(ends)
    await intuit.stop()
    await place.remove()
  })

  it('renew each token once, and never with one that is used up', async () => {
    const secretKey = randomBytes(32).toString('base64')
    const where = { url: place.url, schema: 'side', baseDirectory: place.baseDirectory, secretKey }
    const store = createStore(where)
    const { sources } = ownedIn(store)
    const secrets = await consentTo(platformFor(intuit), intuit, REALM)
    await sources.create({
      id: `quickbooks-${REALM}`,
      type: 'quickbooks',
      name: 'Q',
      config: { realm_id: REALM },
      status: 'connected',
      created_at: '2026-01-01T00:00:00.000Z',
      last_synced_at: null,
      cursor: null,
    })
    await replaceSecrets(keptIn(store, WORKSPACE), `quickbooks-${REALM}`, secrets)
    await store.close()
    const task: RenewingTask = { store: where, workspace: WORKSPACE, settings: settingsFor(intuit), realm: REALM }
    children = await Promise.all([begun(task), begun(task)])
    const answers: unknown[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      intuit.authority.expireAccess()
      answers.push(...(await Promise.all(children.map(roundOf))))
    }
    expect(answers).toEqual(Array.from({ length: ROUNDS * 2 }, () => 10))
    expect(intuit.authority.counts).toEqual({ refreshes: ROUNDS, refused: 0 })
  })
})

async function begun(task: RenewingTask): Promise<ChildProcess> {
  const child = spawn(process.execPath, [...(await childCommand(PROGRAM)), JSON.stringify(task)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  await once(child, 'message')
  return child
}

async function roundOf(child: ChildProcess): Promise<unknown> {
  const answer = once(child, 'message')
  child.send('go')
  const [read] = await answer
  return read
}
