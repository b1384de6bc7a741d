import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { type StorePlace, storePlace } from '../support/databases/store-places.ts'
import { describeTargets } from '../support/databases/targets.ts'
import { childCommand } from '../support/product/child-program.ts'
import { JSON_BODY } from '../support/product/json-body.ts'

const CHILD = new URL('event-loop-child.ts', import.meta.url).pathname
const MANY = 50_000
const ROUNDS = 3
/** How much more than a plain body of the same size a hostile one may cost. */
const TIMES = 10
const LEAST_MS = 10

const names = (count: number, prefix = 'n') => Array.from({ length: count }, (_, index) => `${prefix}${index}`)
const withValue = (keys: readonly string[]) => Object.fromEntries(keys.map((key) => [key, 'x']))
const spec = (part: unknown) => ({ spec: part })
const group = (conditions: readonly unknown[]) => ({ root: { op: 'and', conditions } })

describeTargets(
  'a service under one hostile request',
  (target) => {
    let child: ChildProcess
    let place: StorePlace
    let url: string

    beforeAll(async () => {
      const database = await sharedReal(target)
      place = await storePlace(target.name)
      child = spawn(process.execPath, [...(await childCommand(CHILD)), database.url, place.url], {
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      })
      const [said] = (await once(child, 'message')) as [{ url: string }]
      url = said.url
    })
    afterAll(async () => {
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
      await place.remove()
    })

    const spentSinceLast = async (): Promise<number> => {
      const answered = once(child, 'message') as Promise<[{ microseconds: number }]>
      child.send('how much')
      return (await answered)[0].microseconds / 1e3
    }
    /**
     * The answer, and what it cost: milliseconds of processor time, for the machine has other work, and all of it on the event loop. The
     * least of several rounds.
     */
    const send = async (path: string, body: unknown) => {
      const text = JSON.stringify(body)
      const spent: number[] = []
      let answer = { status: 0, text: '' }
      for (let round = 0; round < ROUNDS; round += 1) {
        await spentSinceLast()
        const response = await fetch(`${url}/api/${path}`, { method: 'POST', headers: JSON_BODY, body: text })
        answer = { status: response.status, text: await response.text() }
        spent.push(await spentSinceLast())
      }
      return { ...answer, spent: Math.min(...spent) }
    }

    it.each([
      ['parameters', 'metrics/mrr', { params: withValue(names(MANY)) }],
      ['unknown fields', 'metrics/mrr', withValue(names(MANY))],
      ['unknown fields of a spec', 'metrics/mrr', spec(withValue(names(MANY)))],
      ['dimensions', 'metrics/mrr', spec({ dimensions: names(MANY) })],
      ['filters', 'metrics/mrr', spec({ filters: withValue(names(MANY)) })],
      ['filters on attributes', 'metrics/mrr', spec({ filters: withValue(names(MANY, 'attr.n')) })],
      ['operators', 'metrics/mrr', spec({ filters: { plan_id: withValue(names(MANY)) } })],
      ['segments to compare', 'metrics/mrr', spec({ compare: names(MANY) })],
      ['conditions', 'segments/validate', group(names(20_000).map((field) => ({ field, op: '=', value: 'x' })))],
      [
        'groups',
        'segments/validate',
        group(names(200).map(() => ({ op: 'or', conditions: names(150).map(() => ({ op: 'x' })) }))),
      ],
      ['fields of a condition', 'segments/validate', group([withValue(names(MANY))])],
    ])('of very many %s goes on answering the others, and says little', async (_, path, body) => {
      const plain = await send('metrics/mrr', spec({ filters: { plan_id: { in: names(MANY) } } }))
      const hostile = await send(path, body)
      expect(hostile.status, hostile.text.slice(0, 300)).toBeLessThan(500)
      expect(hostile.text.length).toBeLessThan(100_000)
      expect(hostile.spent).toBeLessThan(TIMES * Math.max(plain.spent, LEAST_MS))
    })
  },
  { only: ['postgres'] },
)
