import type { Registry } from 'prom-client'
import type { Engine } from '../../../engine/engine.ts'
import { counterOf, type Sample } from './samples.ts'

type Figures = NonNullable<ReturnType<Engine['statistics']>['sources']>

/** What this process has done for sources of books, in a registry; absent where there can be none. */
export function sourceFigures(registry: Registry, engine: Pick<Engine, 'statistics'>): void {
  const count = (name: string, help: string, read: (figures: Figures) => readonly Sample[], labels: readonly string[] = []) =>
    counterOf(registry, { name: `plumbline_sources_${name}_total`, help, labels }, () => {
      const { sources } = engine.statistics()
      return sources === undefined ? [] : read(sources)
    })
  const byOutcome = (counts: Readonly<Record<string, number>>) =>
    Object.entries(counts).map(([outcome, counted]): Sample => [counted, { outcome }])

  count('notifications', 'Notifications of accounting platforms taken in', ({ notifications }) => [[notifications]])
  count('attempts', 'Attempts to work a notification off; dead: given up', ({ attempts }) => byOutcome(attempts), ['outcome'])
  count('runs', 'Backfills and readings of changes', ({ runs }) => byOutcome(runs), ['outcome'])
  count('changed_records', 'Records that these have changed', ({ changed }) => [[changed]])
}
