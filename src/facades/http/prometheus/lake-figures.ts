import type { Registry } from 'prom-client'
import type { Engine } from '../../../engine/engine.ts'
import { counterOf, gaugeOf, type Sample } from './engine-figures.ts'

type Figures = NonNullable<ReturnType<Engine['statistics']>['lake']>
type Publication = NonNullable<Figures['publication']>

/** The publication that answers, and the queries on Trino. Absent if the billing database is elsewhere. */
export function lakeFigures(registry: Registry, engine: Pick<Engine, 'statistics'>): void {
  const gauge = (name: string, help: string, read: (publication: Publication) => number | null) =>
    gaugeOf(registry, { name: `plumbline_lake_publication_${name}`, help }, () => {
      const publication = engine.statistics().lake?.publication ?? null
      const value = publication === null ? null : read(publication)
      return value === null ? [] : [[value]]
    })
  const counter = (name: string, help: string, read: (figures: Figures) => Readonly<Record<string, number>>) =>
    counterOf(registry, { name: `plumbline_trino_${name}_total`, help, labels: ['code'] }, () => {
      const { lake } = engine.statistics()
      return lake === undefined ? [] : Object.entries(read(lake)).map(([code, count]): Sample => [count, { code }])
    })

  gauge('age_seconds', 'Age of the publication that answers', ({ made_at }) => (Date.now() - Date.parse(made_at)) / 1_000)
  gauge('duration_seconds', 'Time that it took to make the publication that answers', ({ seconds }) => seconds)
  gauge('rows', 'Rows of the publication that answers', ({ rows }) => rows)
  counter('queries', 'Queries on Trino that have ended. ok: they have succeeded', ({ queries }) => queries)
  counter('retries', 'Queries and steps sent again, by the code of the failure before', ({ retries }) => retries)
}
