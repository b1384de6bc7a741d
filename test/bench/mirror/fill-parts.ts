import type { Statement } from '../../../src/compiler/statement.ts'
import type { CacheDatabase, CacheWriter } from '../../../src/ports/cache-database.ts'
import type { Executor } from '../../../src/ports/executor.ts'

/** Adds up the time of a filling by parts: statements of the database, and statements of the cache. */
export interface FillParts {
  readonly executor: (real: Executor) => Executor
  readonly database: (real: CacheDatabase) => CacheDatabase
  /** Markdown, the dearest part first. */
  table(): string
}

/** Parts of a filling. They run at the same time, so the processor's time of a part has some of its neighbours'. */
export function createFillParts(): FillParts {
  const parts = new Map<string, { count: number; clock: number; processor: number }>()
  const part = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const [began, before] = [performance.now(), process.cpuUsage()]
    try {
      return await work()
    } finally {
      const { user, system } = process.cpuUsage(before)
      const sum = parts.get(name) ?? { count: 0, clock: 0, processor: 0 }
      parts.set(name, {
        count: sum.count + 1,
        clock: sum.clock + (performance.now() - began) / 1e3,
        processor: sum.processor + (user + system) / 1e6,
      })
    }
  }
  const named = (place: string, { label, text }: Statement): string => {
    const [, verb = '', first = ''] = /^(?:\/\*.*?\*\/)?\s*(\w+)\s+(?:into |from |table )?([\w."]*)/s.exec(text) ?? []
    return `${place}: ${verb} ${label === undefined || label === 'mirror' || place === 'cache' ? first : label}`
  }
  const writerOf = (writer: CacheWriter): CacheWriter => ({
    ...writer,
    query: (statement) => part(named('cache', statement), () => writer.query(statement)),
    append: (table, ...rest) => part(`cache: append ${table}`, () => writer.append(table, ...rest)),
    load: (table, file) => part(`cache: load ${table}`, () => writer.load(table, file)),
  })
  return {
    executor: (real) => ({
      ...real,
      withSnapshot: (work, options) =>
        real.withSnapshot((snapshot) => {
          const { csv } = snapshot
          return work({
            ...snapshot,
            query: (statement) => part(named('database', statement), () => snapshot.query(statement)),
            ...(csv !== undefined && {
              csv: {
                ...csv,
                write: (statement, ...rest) => part(`database: copy ${statement.label}`, () => csv.write(statement, ...rest)),
                count: (statement) => part(`database: count ${statement.label}`, () => csv.count(statement)),
              },
            }),
          })
        }, options),
    }),
    database: (real) => ({ ...real, write: (work) => real.write((writer) => work(writerOf(writer))) }),
    table() {
      const rows = [...parts].sort(([, a], [, b]) => b.clock - a.clock)
      const lines = rows.map(
        ([name, { count, clock, processor }]) => `| ${name} | ${count} | ${clock.toFixed(2)} | ${processor.toFixed(2)} |`,
      )
      return ['| Part | Times | Clock | Processor |', '|---|---|---|---|', ...lines].join('\n')
    },
  }
}
