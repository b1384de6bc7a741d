import type { Engine } from '../../../src/engine/engine.ts'
import type { TestDatabase } from '../databases/test-database.ts'
import type { CountedCache } from './counted-cache.ts'
import type { CacheOptions } from './recorded-engine.ts'
import type { StoredBilling, StoredOptions } from './stored-billings.ts'

/** A process with a stored cache, as far as files tell. */
export interface StoredProcess {
  readonly engine: Engine
  readonly cache: CountedCache
  /** Sentences about a cache that is not stored. */
  readonly notices: readonly string[]
  /** Fillings from the database that it has begun. */
  fillings(): number
}

/** Begins and ends processes of one billing engine. */
export function storedProcesses(billing: StoredBilling) {
  const running: Engine[] = []
  return {
    async begin(database: TestDatabase, options: StoredOptions, cacheOptions: Partial<CacheOptions>): Promise<StoredProcess> {
      const notices: string[] = []
      let fillings = 0
      const made = await billing.cached(database, options, {
        onNotice: (text) => notices.push(text),
        onProgress: ({ progress }) => {
          if (progress?.accounts_total !== undefined && progress.accounts_total !== null && progress.share === 0) fillings += 1
        },
        ...cacheOptions,
      })
      running.push(made.engine)
      return { ...made, notices, fillings: () => fillings }
    },
    async end({ engine }: Pick<StoredProcess, 'engine'>): Promise<void> {
      running.splice(running.indexOf(engine), 1)
      await engine.close()
    },
    /** Ends this engine with the processes. */
    alsoEnd(engine: Engine): void {
      running.push(engine)
    },
    async endAll(): Promise<void> {
      for (const engine of running.splice(0)) await engine.close()
    },
  }
}

/** The answers to questions, one after the other. */
export async function answersTo(
  engine: Engine,
  questions: readonly (readonly [metric: string, params: Readonly<Record<string, string>>])[],
): Promise<readonly unknown[]> {
  const answers: unknown[] = []
  for (const [metric, params] of questions) answers.push((await engine.query(metric, params)).data)
  return answers
}
