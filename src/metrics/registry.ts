import { readdir } from 'node:fs/promises'
import { errorFromIssues, InternalError, suggest } from '../core/errors.ts'
import type { MetricDefinition } from './define-metric.ts'

/** All metrics, those that others depend on first. */
export interface Registry {
  readonly metrics: ReadonlyMap<string, MetricDefinition>
}

/** Metrics in dependency order. A cycle is reported as a path, a missing dependency by name. */
export function createRegistry(definitions: readonly MetricDefinition[]): Registry {
  const byName = new Map(definitions.map((definition) => [definition.name, definition]))
  if (byName.size !== definitions.length) throw new InternalError('two metrics have the same name')
  const ordered = new Map<string, MetricDefinition>()
  for (const name of [...byName.keys()].sort()) visit(name, [])
  return Object.freeze({ metrics: ordered })

  function visit(name: string, path: readonly string[]): void {
    if (ordered.has(name)) return
    if (path.includes(name))
      throw new InternalError(`metrics depend on each other: ${[...path.slice(path.indexOf(name)), name].join(' -> ')}`)
    const definition = byName.get(name)
    if (definition === undefined) throw new InternalError(`metric "${path.at(-1)}" depends on "${name}", which does not exist`)
    for (const dependency of definition.depends_on) visit(dependency, [...path, name])
    ordered.set(name, definition)
  }
}

/** The metrics found as folders beside this file, each exporting `metric` from its index. */
export async function discoverMetrics(): Promise<Registry> {
  const here = new URL('.', import.meta.url)
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  const entries = await readdir(here, { withFileTypes: true })
  const folders = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
  const modules = await Promise.all(folders.sort().map((folder) => import(new URL(`${folder}/index.${extension}`, here).href)))
  return createRegistry(modules.map((module) => module.metric))
}

/** AppError `unknown_metric` that lists the metrics there are. */
export function unknownMetric(name: string, available: readonly string[]): Error {
  const message = `Unknown metric "${name}".`
  const issue = {
    code: 'unknown_metric',
    where: 'path.metric',
    value: name,
    message,
    did_you_mean: suggest(name, available),
  } as const
  return errorFromIssues([issue], { available })
}
