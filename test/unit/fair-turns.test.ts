import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { asCaller } from '../../src/core/caller.ts'
import { createGate } from '../../src/databases/gate.ts'

const LONG_MS = 60_000
const gateOf = (size: number, queueSize = 100, queueMs = LONG_MS) => createGate({ size, queueSize, queueMs })
/** Enters for a caller, each time as another request. */
const enter = (gate: ReturnType<typeof gateOf>, id: string) => asCaller(id, () => gate.enter())

describe('turns of several callers', () => {
  it('a caller who comes late goes before the many questions of a busy one', async () => {
    const gate = gateOf(1)
    const order: string[] = []
    const leave = await enter(gate, 'busy')
    const ask = (id: string) => enter(gate, id).then((end) => order.push(id) && end())
    const questions = [...Array.from({ length: 5 }, () => ask('busy')), ask('quiet')]
    await sleep(2)
    leave()
    await Promise.all(questions)
    expect(order).toEqual(['quiet', 'busy', 'busy', 'busy', 'busy', 'busy'])
  })

  it('one caller leaves a place to the others, and half of the queue', async () => {
    const gate = gateOf(3, 4)
    const held = [await enter(gate, 'busy'), await enter(gate, 'busy')]
    const waits = [enter(gate, 'busy'), enter(gate, 'busy')]
    await expect(enter(gate, 'busy')).rejects.toMatchObject({ code: 'overloaded', context: { retry_after: 5 } })
    expect(gate.load()).toMatchObject({ running: 2, waiting: 2 })
    // The last place and the rest of the queue are for somebody else.
    const other = await enter(gate, 'quiet')
    const next = enter(gate, 'quiet')
    expect(gate.load()).toMatchObject({ running: 3, waiting: 3 })
    other()
    ;(await next)()
    for (const end of held) end()
    for (const wait of waits) (await wait)()
    expect(gate.load()).toMatchObject({ running: 0, waiting: 0 })
  })

  it('the cost of a question is the time that it holds its place', async () => {
    const gate = gateOf(1)
    const order: string[] = []
    const ask = async (id: string, ms: number) => {
      const end = await enter(gate, id)
      order.push(id)
      await sleep(ms)
      end()
    }
    const first = await enter(gate, 'operator')
    const all = [ask('long', 40), ask('short', 1), ask('long', 40), ask('short', 1), ask('short', 1), ask('short', 1)]
    first()
    await Promise.all(all)
    // One long question costs more than all short ones.
    expect(order).toEqual(['long', 'short', 'short', 'short', 'short', 'long'])
  })

  it('work of the process itself may use every place', async () => {
    const gate = gateOf(2)
    const both = [await gate.enter(), await gate.enter()]
    expect(gate.load()).toMatchObject({ running: 2, waiting: 0 })
    for (const end of both) end()
  })

  it('a gate of one caller keeps nothing for others: its size and queue are whole, and its order is that of arrival', async () => {
    const gate = createGate({ size: 2, queueSize: 4, queueMs: LONG_MS, isOfOneCaller: true })
    const held = [await enter(gate, 'busy'), await enter(gate, 'busy')]
    const order: string[] = []
    const ask = (id: string) => enter(gate, id).then((end) => order.push(id) && end())
    const waits = [ask('busy'), ask('busy'), ask('busy'), ask('quiet')]
    await expect(enter(gate, 'busy')).rejects.toMatchObject({ code: 'overloaded' })
    expect(gate.load()).toMatchObject({ running: 2, waiting: 4 })
    await sleep(2)
    held[0]?.()
    await Promise.all(waits)
    held[1]?.()
    expect(order).toEqual(['busy', 'busy', 'busy', 'quiet'])
  })

  it('who enters without waiting is refused while a place is not free for them', async () => {
    const gate = gateOf(2)
    const now = (id: string) => asCaller(id, () => gate.enterNow())
    const end = now('one')
    expect([end, now('one')]).toEqual([expect.any(Function), undefined])
    expect(now('two')).toEqual(expect.any(Function))
    end?.()
    expect(now('one')).toEqual(expect.any(Function))
  })

  it('the waits of one request have one limit', async () => {
    const [first, second] = [gateOf(1, 10, 200), gateOf(1, 10, 200)]
    await asCaller('a', async () => {
      const leave = await first.enter()
      const hold = await second.enter()
      const waiting = first.enter()
      await sleep(150)
      leave()
      await waiting
      // Some 50 ms are left of the 200.
      const begun = performance.now()
      await expect(second.enter()).rejects.toMatchObject({ code: 'overloaded', message: expect.stringContaining('200 ms') })
      const waited = performance.now() - begun
      const again = performance.now()
      await expect(asCaller('a', () => second.enter())).rejects.toMatchObject({ code: 'overloaded' })
      // Another request has all of it.
      expect(waited).toBeLessThan((performance.now() - again) * 0.75)
      hold()
    })
  })

  it('gives every question a place or a refusal, whatever the order', async () => {
    const gate = gateOf(3, 40, 30)
    let inside = 0
    let most = 0
    let [entered, refused] = [0, 0]
    const one = async (index: number) => {
      const giveUp = AbortSignal.timeout(5 + ((index * 7) % 40))
      try {
        const end = await asCaller(`caller ${index % 5}`, () => gate.enter(index % 3 === 0 ? giveUp : undefined))
        inside += 1
        entered += 1
        most = Math.max(most, inside)
        await sleep((index * 3) % 9)
        inside -= 1
        end()
      } catch {
        refused += 1
      }
    }
    await Promise.all(Array.from({ length: 120 }, (_, index) => one(index)))
    expect(entered + refused).toBe(120)
    expect([most, inside]).toEqual([3, 0])
    expect(gate.load()).toMatchObject({ running: 0, waiting: 0 })
    await gate.close()
  })
})
