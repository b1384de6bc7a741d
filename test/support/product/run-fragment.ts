import type { SqlCatalog } from '../../../src/compiler/catalog.ts'
import { compileFragment } from '../../../src/compiler/compile.ts'
import type { BoundValue, Fragment } from '../../../src/compiler/fragment.ts'
import type { InlineRelation } from '../../../src/compiler/inline.ts'
import { parseTemplate } from '../../../src/compiler/template.ts'
import type { OffsetStretch } from '../../../src/core/zone.ts'
import type { Executor } from '../../../src/ports/executor.ts'
import type { Row } from '../../../src/ports/rows.ts'
import type { Snapshot } from '../../../src/ports/snapshot.ts'

/** A catalog of relation files given by name; their `relation:` line is written here. */
export function catalogOf(relations: Readonly<Record<string, string>>): SqlCatalog {
  const templates = new Map(
    Object.entries(relations).map(([name, text]) => [name, parseTemplate(`${name}.sql`, `-- relation: ${name}\n${text}`)]),
  )
  return {
    query: (metric, query) =>
      parseTemplate(`${query}.sql`, `-- metric: ${metric}\n-- query: ${query}\n-- unsliced\nselect 1 as x`),
    relation: (name) => templates.get(name),
    queries: () => [],
    relations: () => [...templates.keys()],
  }
}

interface Surroundings {
  readonly relations?: Readonly<Record<string, string>>
  readonly inline?: readonly InlineRelation[]
  readonly built?: ReadonlyMap<string, Fragment>
  readonly params?: Readonly<Record<string, BoundValue>>
  /** Offsets of the zone of `fn.clock`. */
  readonly stretches?: readonly OffsetStretch[]
}

function compileFor({ dialect }: Pick<Snapshot, 'dialect'>, fragment: Fragment, around: Surroundings = {}) {
  return compileFragment({
    fragment,
    catalog: catalogOf(around.relations ?? {}),
    inline: new Map((around.inline ?? []).map((relation) => [relation.name, relation])),
    ...(around.built === undefined ? {} : { built: around.built }),
    params: around.params ?? {},
    ...(around.stretches && { stretches: around.stretches }),
    dialect,
    label: 'test',
  })
}

/** Compiles for the database's dialect and runs; `prefix` turns the statement into an EXPLAIN. */
export function runFragment(
  executor: Pick<Executor, 'withSnapshot'>,
  fragment: Fragment,
  around: Surroundings = {},
  prefix = '',
): Promise<readonly Row[]> {
  return executor.withSnapshot((snapshot) => {
    const statement = compileFor(snapshot, fragment, around)
    return snapshot.query({ ...statement, text: `${prefix}${statement.text}` })
  })
}
