import { describe, expect, it } from 'vitest'
import { createGate } from '../../src/executors/gate.ts'

describe('gate', () => {
  it('lets so many in, makes the next wait in order and refuses beyond the queue', async () => {
    const gate = createGate(1, 2)
    const order: string[] = []
    const leaveFirst = await gate.enter()
    const second = gate.enter().then((leave) => order.push('second') && leave())
    const third = gate.enter().then((leave) => order.push('third') && leave())
    await expect(gate.enter()).rejects.toMatchObject({ code: 'connector_unavailable', context: { retry_after: 5 } })
    expect(order).toEqual([])
    leaveFirst()
    await Promise.all([second, third])
    expect(order).toEqual(['second', 'third'])
  })

  it('counts a place once, however often it is left', async () => {
    const gate = createGate(1, 1)
    const leave = await gate.enter()
    leave()
    leave()
    await gate.enter()
    const waiting = gate.enter()
    await expect(gate.enter()).rejects.toMatchObject({ code: 'connector_unavailable' })
    waiting.catch(() => {})
  })

  it('forgets who gives up waiting', async () => {
    const gate = createGate(1, 1)
    const leave = await gate.enter()
    const reason = new Error('gone')
    const giveUp = new AbortController()
    const waiting = gate.enter(giveUp.signal)
    giveUp.abort(reason)
    await expect(waiting).rejects.toBe(reason)
    const next = gate.enter()
    leave()
    await expect(next).resolves.toBeTypeOf('function')
  })

  it('closes when the last one has left and refuses those who wait', async () => {
    const gate = createGate(1, 1)
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
