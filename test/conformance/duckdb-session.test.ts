import { DuckDBConnection } from '@duckdb/node-api'
import { expect, it } from 'vitest'
import { countStuckStatements, createDuckdbSession } from '../../src/databases/duckdb/session.ts'

const STATEMENT = { text: 'select 1', values: [], label: 'test' }

/** A connection whose statements end at a call, whatever interrupts it. No real connection can do so. */
async function stubborn() {
  const told: string[] = []
  let end: (error: Error) => void = () => {}
  const never = () => new Promise<never>((_, reject) => (end = reject))
  const real = await DuckDBConnection.create()
  const connection = new Proxy(real, {
    get(target, name) {
      if (name === 'run' || name === 'runAndReadAll') return never
      if (name === 'interrupt') return () => told.push('interrupt')
      if (name === 'disconnectSync') return () => told.push('disconnect')
      return Reflect.get(target, name)
    },
  })
  return { session: createDuckdbSession(connection, 40, 60), told, end: (error: Error) => end(error) }
}

it('gives up a statement that does not end when it is interrupted, and closes its connection only after it', async () => {
  const before = countStuckStatements()
  const { session, told, end } = await stubborn()
  await expect(session.query(STATEMENT)).rejects.toThrow('does not end')
  expect(told).toContain('interrupt')
  expect(countStuckStatements()).toBe(before + 1)
  session.destroy()
  await session.cancel()
  await expect(session.query(STATEMENT)).rejects.toThrow('closed')
  expect(told).not.toContain('disconnect')
  end(new Error('ended after all'))
  await expect.poll(() => told.at(-1)).toBe('disconnect')
  expect(countStuckStatements()).toBe(before)
})

it('interrupts what opens a snapshot before it closes the connection', async () => {
  const { session, told, end } = await stubborn()
  const beginning = session.begin()
  session.destroy()
  await expect.poll(() => told.length).toBeGreaterThan(0)
  expect(told).not.toContain('disconnect')
  end(new Error('INTERRUPT Error: Interrupted!'))
  await expect(beginning).rejects.toThrow('INTERRUPT')
  await expect.poll(() => told.at(-1)).toBe('disconnect')
})
