import type { FxRate } from '../../src/core/currency.ts'
import { AppError } from '../../src/core/errors.ts'
import { createStore } from '../../src/workspace/store/create-store.ts'
import { currency, dayOf } from './embedded-store-rates.ts'

// A process on an embedded store: `write <url> <currency> <count>`, `import <url> <rows>` without end, or `count <url>`.
const [mode = '', url = '', ...rest] = process.argv.slice(2)
const say = (word: string): void => void process.stdout.write(`${word}\n`)
const store = createStore({ url, schema: 'plumbline', baseDirectory: '/' })

try {
  if (mode === 'write') await write(rest[0] ?? '', Number(rest[1]))
  if (mode === 'import') await importForEver(Number(rest[0]))
  if (mode === 'count') await count()
  await store.close()
} catch (error) {
  say(error instanceof AppError ? `${error.code} ${error.message}` : String(error))
}

/** One rate after the other, each said when it is stored. */
async function write(from: string, count: number): Promise<void> {
  for (let day = 0; day < count; day++) {
    await store.fxRates.upsert([{ date: dayOf(day), from, to: 'USD', rate: '1.5' }])
    say(String(day))
  }
}

/** Imports of one currency each, said when they are stored. */
async function importForEver(rows: number): Promise<void> {
  for (let number = (await store.fxRates.list()).length / rows; ; number++) {
    const rates = Array.from(
      { length: rows },
      (_, day): FxRate => ({ date: dayOf(day), from: currency(number), to: 'USD', rate: '2' }),
    )
    await store.fxRates.upsert(rates)
    say(currency(number))
  }
}

/** How many rates each currency has. */
async function count(): Promise<void> {
  const counts: Record<string, number> = {}
  for (const { from } of await store.fxRates.list()) counts[from] = (counts[from] ?? 0) + 1
  say(JSON.stringify(counts))
}
