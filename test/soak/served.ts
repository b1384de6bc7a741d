import { seenInErrors, startProduct } from '../support/product/product-process.ts'

const MEBIBYTE = 1024 * 1024

/** A served process of the product. */
export interface Served {
  readonly url: string
  /** Resident memory in mebibytes. */
  rss(): number
  /** Lines of failures that it has logged, counted by their first words. */
  failures(): ReadonlyMap<string, number>
  isAlive(): boolean
  stop(): Promise<void>
}

/** Starts `plumbline serve` on a free port with these environment variables; it logs failures alone. */
export async function startServed(environment: Readonly<Record<string, string>>): Promise<Served> {
  const started = await startProduct('cli', ['serve', '--port', '0'], {
    PLUMBLINE_LOG_LEVEL: 'error',
    PLUMBLINE_LOG_FORMAT: 'json',
    ...environment,
  })
  const url = await seenInErrors(started, /running at (\S+);/)
  return {
    url,
    rss: () => (started.isAlive() ? started.resident() / MEBIBYTE : 0),
    failures: () =>
      counted(
        started.output.stderr
          .split('\n')
          .filter((line) => line.includes('"level":"error"'))
          .map(firstWords),
      ),
    isAlive: started.isAlive,
    async stop() {
      started.child.kill('SIGTERM')
      await started.exit
    },
  }
}

function firstWords(line: string): string {
  return line.replace(/"(time|request_id|at|ms|query)":("[^"]*"|\d+),?/g, '').slice(0, 160)
}

function counted(texts: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return counts
}
