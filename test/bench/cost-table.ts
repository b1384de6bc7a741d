import type { BackendMeter } from './mirror/processor.ts'

/** Runs a piece of work, prints its cost as a row of a table, and returns its milliseconds on the clock. */
export type Cost = (name: string, work: () => Promise<unknown>) => Promise<number>

/** Prints the head of a table of costs. With `reference`, each row also has its time as a multiple of that of the row of this name. */
export function costTable(backends: BackendMeter, reference?: string): Cost {
  let unit: number | undefined
  const [head, line] = reference === undefined ? ['', ''] : [` Multiple of ${reference} |`, '---|']
  process.stdout.write(`\n| | Seconds | Processor: this process | Processor: database |${head}\n|---|---|---|---|${line}\n`)
  return async (name, work) => {
    const [own, theirs, began] = [process.cpuUsage(), await backends.total(), performance.now()]
    await work()
    const clockMs = performance.now() - began
    const { user, system } = process.cpuUsage(own)
    const ownMs = (user + system) / 1000
    const theirsMs = ((await backends.total()) ?? 0) - (theirs ?? 0)
    if (name === reference) unit = ownMs + theirsMs
    const ratio = unit === undefined ? '' : ` ${((ownMs + theirsMs) / unit).toFixed(2)} |`
    process.stdout.write(`| ${name} | ${seconds(clockMs)} | ${seconds(ownMs)} | ${seconds(theirsMs)} |${ratio}\n`)
    return clockMs
  }
}

/** Milliseconds as seconds with two decimals. */
export function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(2)
}
