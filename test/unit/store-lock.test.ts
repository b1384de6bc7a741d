import { mkdtempSync, readdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { acquireEmbeddedLock, lockPath } from '../../src/store/embedded-lock.ts'
import { isRunning, thisHolder } from '../../src/store/lock-holder.ts'

let base: string
let directory: string

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'plumbline-lock-'))
  directory = join(base, 'data')
})

afterEach(() => rmSync(base, { recursive: true, force: true }))

function holderOnDisk() {
  return JSON.parse(readFileSync(lockPath(directory), 'utf8'))
}

describe('the lock of an embedded store', () => {
  it('names its holder and is gone after its release, leaving no other file', async () => {
    const lock = await acquireEmbeddedLock(directory)
    expect(holderOnDisk()).toMatchObject({ pid: process.pid })
    expect(readdirSync(base)).toEqual(['data.lock.pid'])
    lock.release()
    lock.release()
    expect(readdirSync(base)).toEqual([])
  })

  it('keeps out a second opener of the same process', async () => {
    const lock = await acquireEmbeddedLock(directory)
    await expect(acquireEmbeddedLock(directory, 0)).rejects.toThrow(`in use by process ${process.pid}`)
    lock.release()
    ;(await acquireEmbeddedLock(directory, 0)).release()
  })

  it.runIf(process.platform === 'linux')('is taken over when its process id now belongs to a younger process', async () => {
    writeFileSync(lockPath(directory), JSON.stringify({ ...thisHolder(), started: '1' }))
    const lock = await acquireEmbeddedLock(directory, 0)
    expect(holderOnDisk().started).toBe(thisHolder().started)
    lock.release()
  })

  it('is left alone when another machine or container holds it', async () => {
    const foreign = { ...thisHolder(), host: 'elsewhere', pid: 2 ** 22 + 1 }
    writeFileSync(lockPath(directory), JSON.stringify(foreign))
    await expect(acquireEmbeddedLock(directory, 0)).rejects.toThrow(`process ${foreign.pid} on elsewhere`)
    expect(holderOnDisk()).toEqual(foreign)
  })

  it('is left alone when the file is not one of ours', async () => {
    writeFileSync(lockPath(directory), 'precious')
    await expect(acquireEmbeddedLock(directory, 0)).rejects.toMatchObject({ code: 'connector_unavailable' })
    expect(readFileSync(lockPath(directory), 'utf8')).toBe('precious')
  })

  it('is not removed by somebody whose own was removed by hand', async () => {
    const lost = await acquireEmbeddedLock(directory)
    unlinkSync(lockPath(directory))
    const lock = await acquireEmbeddedLock(directory)
    const holder = holderOnDisk()
    lost.release()
    expect(holderOnDisk()).toEqual(holder)
    lock.release()
  })
})

describe('whether a holder is running', () => {
  it('is certain only for a process of this machine that is gone', () => {
    const me = thisHolder()
    expect(isRunning(me)).toBe(true)
    expect(isRunning({ ...me, started: null })).toBe(true)
    expect(isRunning({ ...me, pid: 2 ** 22 + 1 })).toBe(false)
    expect(isRunning({ ...me, pid: 2 ** 22 + 1, host: 'elsewhere' })).toBe(true)
  })
})
