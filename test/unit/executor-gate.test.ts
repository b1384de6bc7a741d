import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { createGate } from '../../src/databases/gate.ts'

const LONG_MS = 60_000
const gateOf = (queueSize: number, queueMs = LONG_MS) => createGate({ size: 1, queueSize, queueMs })

describe('gate', () => {
  it('lets so many in, makes the next wait in order and refuses beyond the queue', async () => {
    const gate = gateOf(2)
    const order: string[] = []
    const leaveFirst = await gate.enter()
    const second = gate.enter().then((leave) => order.push('second') && leave())
    const third = gate.enter().then((leave) => order.push('third') && leave())
    await expect(gate.enter()).rejects.toMatchObject({ code: 'overloaded', context: { retry_after: 5 } })
    expect(gate.load()).toEqual({ running: 1, waiting: 2, size: 1, queue_size: 2 })
    expect(order).toEqual([])
    leaveFirst()
    await Promise.all([second, third])
    expect(order).toEqual(['second', 'third'])
    expect(gate.load()).toMatchObject({ running: 0, waiting: 0 })
  })

  it('counts a place once, however often it is left', async () => {
    const gate = gateOf(1)
    const leave = await gate.enter()
    leave()
    leave()
    await gate.enter()
    const waiting = gate.enter()
    await expect(gate.enter()).rejects.toMatchObject({ code: 'overloaded' })
    waiting.catch(() => {})
  })

  it('forgets who gives up waiting', async () => {
    const gate = gateOf(1)
    const leave = await gate.enter()
    const reason = new Error('gone')
    const giveUp = new AbortController()
    const waiting = gate.enter(giveUp.signal)
    giveUp.abort(reason)
    await expect(waiting).rejects.toBe(reason)
    expect(gate.load().waiting).toBe(0)
    const next = gate.enter()
    leave()
    await expect(next).resolves.toBeTypeOf('function')
    await expect(gate.enter(giveUp.signal)).rejects.toBe(reason)
  })

  it('refuses who has waited too long, and gives the place to the next', async () => {
    const gate = gateOf(2, 20)
    const leave = await gate.enter()
    await expect(gate.enter()).rejects.toMatchObject({ code: 'overloaded', message: expect.stringContaining('20 ms') })
    expect(gate.load()).toMatchObject({ running: 1, waiting: 0 })
    const next = gate.enter()
    leave()
    await expect(next).resolves.toBeTypeOf('function')
  })

  it('keeps hold of no signal when the waiting is over, however it ended', async () => {
    const gate = gateOf(1, 20)
    const { signal } = new AbortController()
    const leave = await gate.enter(signal)
    await expect(gate.enter(signal)).rejects.toMatchObject({ code: 'overloaded' })
    expect(getEventListeners(signal, 'abort')).toHaveLength(0)
    const admitted = gate.enter(signal)
    expect(getEventListeners(signal, 'abort')).toHaveLength(1)
    leave()
    const leaveAgain = await admitted
    expect(getEventListeners(signal, 'abort')).toHaveLength(0)
    const refused = gate.enter(signal)
    const closing = gate.close()
    await expect(refused).rejects.toMatchObject({ code: 'connector_unavailable' })
    expect(getEventListeners(signal, 'abort')).toHaveLength(0)
    leaveAgain()
    await closing
  })

  it('closes when the last one has left and refuses those who wait', async () => {
    const gate = gateOf(1)
    const leave = await gate.enter()
    const waiting = gate.enter()
    let closed = false
    const closing = gate.close().then(() => (closed = true))
    await expect(waiting).rejects.toMatchObject({ code: 'connector_unavailable' })
    expect(closed).toBe(false)
    leave()
    await closing
    await expect(gate.enter()).rejects.toMatchObject({ code: 'connector_unavailable' })
  })
})
