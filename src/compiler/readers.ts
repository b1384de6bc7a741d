import type { SqlCatalog } from './catalog.ts'
import type { TemplatePart } from './compile.ts'
import type { Dialect } from './dialect.ts'
import { type Fragment, relationsIn } from './fragment.ts'
import type { Slot, Template } from './template.ts'

interface ReadersInput {
  readonly template: Template
  readonly slots: Partial<Record<Slot, Fragment>>
  readonly catalog: SqlCatalog
  readonly inline: ReadonlyMap<string, unknown>
  readonly built: ReadonlyMap<string, Fragment>
  readonly parts?: ReadonlyMap<string, TemplatePart>
  readonly aliases: ReadonlyMap<string, string>
  readonly dialect: Dialect
}

/**
 * The relations of a statement by name, each with the names of the relations that read it. The empty name is the statement itself:
 * its template and its slots.
 */
export function relationReaders(input: ReadersInput): ReadonlyMap<string, readonly string[]> {
  const readers = new Map<string, string[]>()
  const visit = (reader: string, names: readonly string[]): void => {
    for (const name of new Set(names)) {
      const known = readers.get(name)
      if (known !== undefined) known.push(reader)
      else {
        readers.set(name, [reader])
        visit(name, readsOf(name, input))
      }
    }
  }
  const { template, slots } = input
  visit('', [...template.header.reads, ...Object.values(slots).flatMap(relationsIn)])
  return readers
}

function readsOf(name: string, { catalog, inline, built, parts, aliases, dialect }: ReadersInput): readonly string[] {
  const part = parts?.get(name)
  if (part !== undefined) {
    return [...part.template.header.reads, ...[...Object.values(part.slots), part.ending].flatMap(relationsIn)]
  }
  const fragment = built.get(name)
  if (fragment !== undefined) return relationsIn(fragment)
  if (inline.has(name)) return []
  return catalog.relation(aliases.get(name) ?? name, dialect.name)?.header.reads ?? []
}
