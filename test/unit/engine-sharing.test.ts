import { getEventListeners } from 'node:events'
import { setImmediate as settle } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { freshReading } from '../../src/execution/session/fresh-reading.ts'
import { createInFlight, type Turn } from '../../src/execution/session/in-flight.ts'

/** Turns in the order in which they began. The test ends each of them. */
function turns() {
  const begun: { readonly turn: Turn; end(value: string): void; fail(error: Error): void }[] = []
  const begin = (turn: Turn) =>
    new Promise<string>((resolve, reject) => {
      begun.push({ turn, end: resolve, fail: reject })
    })
  return { begun, begin }
}

describe('sharing of equal questions', () => {
  it('gives all who ask before the reading one answer, and those who come later another', async () => {
    const { begun, begin } = turns()
    const inFlight = createInFlight<string>()
    const ask = (key: string) => inFlight.join(key, undefined, begin)
    const early = [ask('a'), ask('a'), ask('b')]
    expect(begun).toHaveLength(2)
    begun[0]?.turn.startReading()
    const late = [ask('a'), ask('a')]
    expect(begun).toHaveLength(3)
    begun[0]?.end('old')
    begun[1]?.end('other')
    begun[2]?.end('new')
    expect(await Promise.all([...early, ...late])).toEqual(['old', 'old', 'other', 'new', 'new'])
  })

  it('does not take a turn that reads for the one that waits', async () => {
    const { begun, begin } = turns()
    const inFlight = createInFlight<string>()
    const first = inFlight.join('a', undefined, begin)
    begun[0]?.turn.startReading()
    const second = inFlight.join('a', undefined, begin)
    begun[0]?.turn.startReading()
    begun[0]?.end('old')
    await first
    const third = inFlight.join('a', undefined, begin)
    begun[1]?.end('new')
    expect(await Promise.all([second, third])).toEqual(['new', 'new'])
    expect(begun).toHaveLength(2)
  })

  it('goes on while one still waits, and is given up by the last abort', async () => {
    const { begun, begin } = turns()
    const inFlight = createInFlight<string>()
    const [one, other] = [new AbortController(), new AbortController()]
    const answers = [inFlight.join('a', one.signal, begin), inFlight.join('a', other.signal, begin)]
    const gone = new Error('gone')
    one.abort(gone)
    await expect(answers[0]).rejects.toBe(gone)
    expect(begun[0]?.turn.signal.aborted).toBe(false)
    other.abort(gone)
    await expect(answers[1]).rejects.toBe(gone)
    expect(begun[0]?.turn.signal.reason).toBe(gone)
    const next = inFlight.join('a', undefined, begin)
    begun[1]?.end('new')
    expect(await next).toBe('new')
  })

  it('tells all of a failure, shares nothing with who comes after it, and keeps hold of no signal', async () => {
    const { begun, begin } = turns()
    const inFlight = createInFlight<string>()
    const { signal } = new AbortController()
    const answers = [inFlight.join('a', signal, begin), inFlight.join('a', signal, begin)]
    begun[0]?.fail(new Error('refused'))
    for (const answer of answers) await expect(answer).rejects.toThrow('refused')
    await settle()
    expect(getEventListeners(signal, 'abort')).toHaveLength(0)
    const next = inFlight.join('a', signal, begin)
    begun[1]?.end('new')
    expect(await next).toBe('new')
  })

  it('begins nothing for who is gone already', async () => {
    const { begun, begin } = turns()
    const gone = new Error('gone')
    await expect(createInFlight<string>().join('a', AbortSignal.abort(gone), begin)).rejects.toBe(gone)
    expect(begun).toEqual([])
  })
})

describe('a fresh reading', () => {
  it('begins after the question, once for all who wait', async () => {
    const running: ((value: number) => void)[] = []
    let begun = 0
    const read = freshReading(() => {
      begun += 1
      return new Promise<number>((resolve) => running.push(resolve))
    })
    const first = read()
    await settle()
    const others = [read(), read()]
    await settle()
    expect(begun).toBe(1)
    running[0]?.(1)
    await settle()
    expect(begun).toBe(2)
    running[1]?.(2)
    expect(await Promise.all([first, ...others])).toEqual([1, 2, 2])
  })

  it('goes on after a failure, and next to a reading that hangs', async () => {
    const results: (() => Promise<string>)[] = [
      () => Promise.reject(new Error('lost')),
      () => new Promise(() => {}),
      async () => 'read',
    ]
    const read = freshReading(() => results.shift()?.() ?? Promise.reject(new Error('read too often')))
    await expect(read()).rejects.toThrow('lost')
    void read()
    await settle()
    expect(await read()).toBe('read')
  })
})
