import { getEventListeners } from 'node:events'
import { setImmediate as settle } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { freshReading } from '../../src/execution/session/fresh-reading.ts'
import { createSharing, type Flight } from '../../src/execution/session/in-flight.ts'

/** Flights in the order in which they began, each to be landed by hand. */
function flights() {
  const begun: { readonly flight: Flight; land(value: string): void; fail(error: Error): void }[] = []
  const fly = (flight: Flight) =>
    new Promise<string>((resolve, reject) => {
      begun.push({ flight, land: resolve, fail: reject })
    })
  return { begun, fly }
}

describe('sharing of equal questions', () => {
  it('gives all who ask before the departure one answer, and those who come later another', async () => {
    const { begun, fly } = flights()
    const sharing = createSharing<string>()
    const ask = (key: string) => sharing.answer(key, undefined, fly)
    const early = [ask('a'), ask('a'), ask('b')]
    expect(begun).toHaveLength(2)
    begun[0]?.flight.depart()
    const late = [ask('a'), ask('a')]
    expect(begun).toHaveLength(3)
    begun[0]?.land('old')
    begun[1]?.land('other')
    begun[2]?.land('new')
    expect(await Promise.all([...early, ...late])).toEqual(['old', 'old', 'other', 'new', 'new'])
  })

  it('does not take a departed flight for the one that waits', async () => {
    const { begun, fly } = flights()
    const sharing = createSharing<string>()
    const first = sharing.answer('a', undefined, fly)
    begun[0]?.flight.depart()
    const second = sharing.answer('a', undefined, fly)
    begun[0]?.flight.depart()
    begun[0]?.land('old')
    await first
    const third = sharing.answer('a', undefined, fly)
    begun[1]?.land('new')
    expect(await Promise.all([second, third])).toEqual(['new', 'new'])
    expect(begun).toHaveLength(2)
  })

  it('goes on while one still waits, and is given up by the last abort', async () => {
    const { begun, fly } = flights()
    const sharing = createSharing<string>()
    const [one, other] = [new AbortController(), new AbortController()]
    const answers = [sharing.answer('a', one.signal, fly), sharing.answer('a', other.signal, fly)]
    const gone = new Error('gone')
    one.abort(gone)
    await expect(answers[0]).rejects.toBe(gone)
    expect(begun[0]?.flight.signal.aborted).toBe(false)
    other.abort(gone)
    await expect(answers[1]).rejects.toBe(gone)
    expect(begun[0]?.flight.signal.reason).toBe(gone)
    const next = sharing.answer('a', undefined, fly)
    begun[1]?.land('new')
    expect(await next).toBe('new')
  })

  it('tells all of a failure, shares nothing with who comes after it, and keeps hold of no signal', async () => {
    const { begun, fly } = flights()
    const sharing = createSharing<string>()
    const { signal } = new AbortController()
    const answers = [sharing.answer('a', signal, fly), sharing.answer('a', signal, fly)]
    begun[0]?.fail(new Error('refused'))
    for (const answer of answers) await expect(answer).rejects.toThrow('refused')
    await settle()
    expect(getEventListeners(signal, 'abort')).toHaveLength(0)
    const next = sharing.answer('a', signal, fly)
    begun[1]?.land('new')
    expect(await next).toBe('new')
  })

  it('begins nothing for who is gone already', async () => {
    const { begun, fly } = flights()
    const gone = new Error('gone')
    await expect(createSharing<string>().answer('a', AbortSignal.abort(gone), fly)).rejects.toBe(gone)
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

  it('goes on after a failure, and beside a reading that hangs', async () => {
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
