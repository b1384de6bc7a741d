import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { createConnectionLoss } from '../../src/databases/connection-loss.ts'

const FIRST = new Error('first')

describe('the loss of a connection', () => {
  it('rejects what is under way and what comes later, with the first error', async () => {
    const loss = createConnectionLoss()
    const never = new Promise<string>(() => {})
    const underWay = expect(loss.orLost(never)).rejects.toBe(FIRST)
    loss.report(FIRST)
    loss.report(new Error('second'))
    await underWay
    await expect(loss.orLost(never)).rejects.toBe(FIRST)
  })

  it('leaves answers and failures that come before it alone', async () => {
    const loss = createConnectionLoss()
    const refused = new Error('refused')
    await expect(loss.orLost(Promise.resolve('rows'))).resolves.toBe('rows')
    await expect(loss.orLost(Promise.reject(refused))).rejects.toBe(refused)
    loss.report(FIRST)
  })

  it('is not told to those who no longer listen', () => {
    const loss = createConnectionLoss()
    const heard: unknown[] = []
    loss.listen((error) => heard.push(error))
    loss.listen(() => heard.push('stopped'))()
    loss.report(FIRST)
    expect(heard).toEqual([FIRST])
  })

  it('keeps no answer in memory while the connection lives', async () => {
    const loss = createConnectionLoss()
    const answer = await (async () => new WeakRef(await loss.orLost(Promise.resolve({ rows: 1 }))))()
    setFlagsFromString('--expose-gc')
    const collect: () => void = runInNewContext('gc')
    // In a process that other tests share, what they have left may be collected first.
    for (let turn = 0; turn < 20 && answer.deref() !== undefined; turn++) {
      await setImmediate()
      collect()
    }
    expect(answer.deref()).toBeUndefined()
    loss.report(FIRST)
  })
})
