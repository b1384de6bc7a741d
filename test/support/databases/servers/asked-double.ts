import { trino } from '../../../../src/compiler/dialects/trino.ts'
import type { ExecutorOptions } from '../../../../src/databases/options.ts'
import { createTrinoExecutor } from '../../../../src/databases/trino/trino.ts'
import type { Executor } from '../../../../src/ports/executor.ts'
import type { Row } from '../../../../src/ports/rows.ts'
import { type Script, startTrinoDouble, type TrinoDouble } from './trino-double.ts'

/** The only column of the answers of most cases. */
export const COLUMNS = [{ name: 'n', type: 'bigint' }]
/** A statement as the engine asks it. */
export const ASK = { text: 'select n from t', values: [], label: 'mrr.current killbill/trino' }

/** A double and executors over it. */
export interface AskedDouble {
  readonly double: TrinoDouble
  /** A further executor. It ends with the double. */
  open(options?: Partial<ExecutorOptions>): Executor
  /** The rows of a statement, by default through an executor that all cases share. */
  ask(executor?: Executor): Promise<readonly Row[]>
  /** The error of a statement under a script. */
  refusal(script: Script, executor?: Executor): Promise<unknown>
  close(): Promise<void>
}

/** Starts a double, and an executor that all cases share. */
export async function askDouble(): Promise<AskedDouble & { readonly executor: Executor }> {
  const double = await startTrinoDouble()
  const opened: Executor[] = []
  const open: AskedDouble['open'] = (options = {}) => {
    const one = createTrinoExecutor({ url: double.url, dialect: trino, poolSize: 2, ...options })
    opened.push(one)
    return one
  }
  const executor = open()
  const ask: AskedDouble['ask'] = (one = executor) => one.withSnapshot((snapshot) => snapshot.query(ASK))
  return {
    double,
    executor,
    open,
    ask,
    async refusal(script, one) {
      double.play(script)
      return ask(one).catch((error: unknown) => error)
    },
    async close() {
      await Promise.all(opened.map((one) => one.close()))
      await double.close()
    },
  }
}
