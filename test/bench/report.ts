import type { Measurement } from './measure.ts'

const MEBIBYTE = 1024 * 1024

/** What became of one task on one database. */
export interface TaskOutcome {
  readonly title: string
  /** What went wrong, in the words of the error, instead of a measurement. */
  readonly result: Measurement | string
}

/** Outcomes of one database. */
export interface TargetOutcome {
  readonly target: string
  readonly subscriptions: number
  readonly events: number
  /** Reference scan, milliseconds. */
  readonly reference: number
  readonly tasks: readonly TaskOutcome[]
}

/** All outcomes as one markdown table with what it needs to be read. */
export function markdownReport(outcomes: readonly TargetOutcome[], machine: readonly string[]): string {
  const head = ['Subscriptions', 'Database', 'Work', 'Cold s', 'Warm s', 'Times the scan', 'Peak RSS MB', 'Peak heap MB', 'Runs']
  const rows = outcomes.flatMap((outcome) => [
    [
      `${outcome.subscriptions}`,
      outcome.target,
      `reference: scan of ${outcome.events} events`,
      '',
      seconds(outcome.reference),
      '1',
      '',
      '',
      '',
    ],
    ...outcome.tasks.map((task) => [
      `${outcome.subscriptions}`,
      outcome.target,
      task.title,
      ...cells(task.result, outcome.reference),
    ]),
  ])
  const table = [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`)
  return [...machine.map((line) => `- ${line}`), '', ...table, '', ...disagreements(outcomes)].join('\n')
}

function cells(result: Measurement | string, reference: number): string[] {
  if (typeof result === 'string') return ['failed', result, '', '', '', '']
  const { cold, warm, peak_rss, peak_heap, warm_runs } = result
  return [
    seconds(cold),
    seconds(warm),
    (warm / reference).toFixed(0),
    megabytes(peak_rss),
    megabytes(peak_heap),
    `1 + ${warm_runs}`,
  ]
}

// The databases of one size hold the same rows: one answer per task.
function disagreements(outcomes: readonly TargetOutcome[]): string[] {
  const digests = new Map<string, Map<string, string>>()
  for (const { subscriptions, target, tasks } of outcomes) {
    for (const { title, result } of tasks) {
      if (typeof result === 'string') continue
      const key = `${title} at ${subscriptions} subscriptions`
      digests.set(key, (digests.get(key) ?? new Map()).set(target, result.digest))
    }
  }
  const apart = [...digests].filter(([, byTarget]) => new Set(byTarget.values()).size > 1)
  const told = apart.map(
    ([key, byTarget]) => `Answers differ: ${key}: ${[...byTarget].map(([target, digest]) => `${target} ${digest}`).join(', ')}`,
  )
  return told.length > 0 ? told : ['All databases of a size gave the same answers.']
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(2)
}

function megabytes(bytes: number): string {
  return (bytes / MEBIBYTE).toFixed(0)
}
