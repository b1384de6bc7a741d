import type { Served } from './served.ts'
import type { Tally } from './tally.ts'

/** The observations of a soak. */
export interface Seen {
  readonly tally: Tally
  readonly health: Tally
  readonly compared: { readonly equal: number; readonly different: readonly string[]; readonly skipped: number }
  /** Answers of /readyz that were wrong: nothing was the matter with the database. */
  readonly unready: readonly string[]
  /** Resident mebibytes of the cached service, a sample a second. */
  readonly memory: readonly number[]
  readonly faults: { readonly terminated: number; readonly restarts: number }
  readonly committed: number
  readonly services: Readonly<Record<string, Served>>
}

/** Memory of the last third may be above that of the third before by this share and these mebibytes. */
const GROWTH = 1.15
const SLACK_MIB = 30

/** Prints what was seen and says whether everything held. */
export function report(
  { tally, health, compared, unready, memory, faults, committed, services }: Seen,
  out: (line: string) => void,
): boolean {
  const third = Math.floor(memory.length / 3)
  const [middle, last] = [median(memory.slice(third, 2 * third)), median(memory.slice(2 * third))]
  const logged = Object.entries(services).flatMap(([name, { failures }]) =>
    [...failures()].map(([line, count]) => `${name} logged ${count} times: ${line}`),
  )
  out(`transactions written: ${committed}; connections cut: ${faults.terminated}; restarts of the database: ${faults.restarts}`)
  out(`requests: ${tally.requests()} (${counts(tally)})`)
  out(`p50 ${ms(tally.percentile(0.5))}, p99 ${ms(tally.percentile(0.99))}, slowest ${ms(tally.slowestMs())}`)
  out(`probes: ${health.requests()} (${counts(health)}), slowest ${ms(health.slowestMs())}`)
  out(
    `compared with the database: ${compared.equal} equal, ${compared.different.length} different, ${compared.skipped} not answered by both`,
  )
  out(`resident memory, MiB: ${Math.round(middle)} in the second third, ${Math.round(last)} in the last`)
  for (const line of logged) out(line)
  const problems = [
    ...tally.offences,
    ...health.offences,
    ...compared.different.map((path) => `differs from the database: ${path}`),
    ...unready.map((answer) => `not ready without a reason: ${answer}`),
    ...(compared.equal === 0 ? ['nothing was compared'] : []),
    ...(last > middle * GROWTH + SLACK_MIB ? ['memory grows'] : []),
    ...Object.entries(services).flatMap(([name, { isAlive }]) => (isAlive() ? [] : [`the ${name} service died`])),
  ]
  for (const problem of problems) out(`PROBLEM ${problem}`)
  out(problems.length === 0 ? 'held' : `${problems.length} problems`)
  return problems.length === 0
}

function counts({ outcomes }: Tally): string {
  return [...outcomes].map(([outcome, count]) => `${outcome}: ${count}`).join(', ')
}

function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
}

function ms(value: number): string {
  return `${Math.round(value)} ms`
}
