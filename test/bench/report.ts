import { MEBIBYTE } from '../../src/databases/options.ts'
import type { Measurement } from './measure.ts'

/** The outcome of one task on one database. */
export interface TaskOutcome {
  readonly title: string
  /** Tasks of the same answer must agree, on every database of a size. */
  readonly answer: string
  /** Reference scan just before, milliseconds. */
  readonly reference: number
  /** A measurement, or the message of the error. */
  readonly result: Measurement | string
}

/** Outcomes of one database. */
export interface TargetOutcome {
  readonly target: string
  readonly subscriptions: number
  readonly events: number
  /** Median of the reference scans, milliseconds. */
  readonly reference: number
  readonly tasks: readonly TaskOutcome[]
}

/** All outcomes as one markdown table with what it needs to be read. */
export function markdownReport(outcomes: readonly TargetOutcome[], machine: readonly string[]): string {
  const head = [
    'Subscriptions',
    'Database',
    'Work',
    'Cold s',
    'Warm s',
    'Times the scan',
    'RSS before MB',
    'Peak RSS MB',
    'Peak heap MB',
    'Runs',
  ]
  const rows = outcomes.flatMap((outcome) => [
    [
      `${outcome.subscriptions}`,
      outcome.target,
      `reference: scan of ${outcome.events} events`,
      '',
      seconds(outcome.reference),
      '1',
      ...Array.from({ length: 4 }, () => ''),
    ],
    ...outcome.tasks.map((task) => [`${outcome.subscriptions}`, outcome.target, task.title, ...cells(task)]),
  ])
  const table = [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`)
  return [...machine.map((line) => `- ${line}`), '', ...table, '', ...disagreements(outcomes)].join('\n')
}

function cells({ result, reference }: TaskOutcome): string[] {
  if (typeof result === 'string') return ['failed', result, '', '', '', '', '']
  const { cold, warm, idle_rss, peak_rss, peak_heap, warm_runs } = result
  return [
    seconds(cold),
    seconds(warm),
    (warm / reference).toFixed(0),
    megabytes(idle_rss),
    megabytes(peak_rss),
    megabytes(peak_heap),
    `1 + ${warm_runs}`,
  ]
}

// The databases of one size hold the same rows.
function disagreements(outcomes: readonly TargetOutcome[]): string[] {
  const answers = new Map<string, Map<string, string>>()
  for (const { subscriptions, target, tasks } of outcomes) {
    for (const { title, answer, result } of tasks) {
      if (typeof result === 'string') continue
      const key = `${answer} at ${subscriptions} subscriptions`
      answers.set(key, (answers.get(key) ?? new Map<string, string>()).set(`${target} ${title}`, result.digest))
    }
  }
  const apart = [...answers].filter(([, digests]) => new Set(digests.values()).size > 1)
  const compared = [...answers.values()].filter((digests) => digests.size > 1).length
  if (apart.length === 0) return compared === 0 ? [] : [`Answers found in several ways: ${compared}, all equal.`]
  return apart.map(([key, digests]) => `Answers differ, ${key}: ${[...digests].map((pair) => pair.join(' ')).join(', ')}`)
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(2)
}

function megabytes(bytes: number): string {
  return (bytes / MEBIBYTE).toFixed(0)
}
