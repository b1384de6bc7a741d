import type { InlineRelation } from '../../../src/connector-kit/connector.ts'
import { PHASE_TYPES } from '../../../src/core/enums.ts'
import { eachInSlices } from '../../../src/core/slices.ts'
import { phaseName, planOfPhase } from '../catalog/catalog-version.ts'
import { DIGEST_LENGTH, digestOf } from '../catalog/text-digest.ts'

type Relations = readonly InlineRelation[]

/** The subject of some rows of a catalog. Only accounts with an event in one of these phases read them. */
export interface Subject {
  /** `tenants.record_id`. */
  readonly tenant: number
  readonly phases: readonly string[]
  /** The currency of the accounts, empty for accounts without one. Null: of every currency. */
  readonly currency: string | null
}

/** The state of a catalog's relations, as JSON. Its size grows with the catalog, but it changes only with it. */
export interface CatalogMarks {
  /** Digest of all relations. */
  readonly all: string
  /** For each subject, the digest of its name and that of its rows. */
  readonly subjects: string
}

/** A catalog's relations by subject. */
export interface CatalogDigests {
  readonly marks: CatalogMarks
  /** The names of the subjects, by their digests. */
  readonly names: ReadonlyMap<string, string>
  /** The digests of the rows, by those of the names. */
  readonly rows: ReadonlyMap<string, string>
}

/** Differences of a catalog. `unnamed` are digests of names that neither of the two catalogs shows: the subjects are gone. */
export interface CatalogChanges {
  readonly subjects: readonly Subject[]
  readonly unnamed: ReadonlySet<string>
}

const made = new WeakMap<Relations, Promise<CatalogDigests>>()

/** The digests of the relations. A large catalog takes a while, so other work gets a turn in between. */
export function catalogDigests(relations: Relations): Promise<CatalogDigests> {
  const known = made.get(relations) ?? digestsOf(relations)
  made.set(relations, known)
  return known
}

async function digestsOf(relations: Relations): Promise<CatalogDigests> {
  const [names, rows] = [new Map<string, string>(), new Map<string, string>()]
  await eachInSlices(await textsBySubject(relations), ([name, texts]) => {
    const key = digestOf(name)
    names.set(key, name)
    rows.set(key, digestOf(texts.join()))
  })
  const subjects = [...rows].map(([key, digest]) => key + digest).sort()
  const plans = JSON.stringify(rowsOf(relations, 'plan'))
  return { marks: { all: digestOf(subjects.join('') + plans), subjects: subjects.join('') }, names, rows }
}

/** The rows of prices, fixed terms and add-ons as texts by the name of their subject. Prices are without line numbers, which differ between two moments. */
async function textsBySubject(relations: Relations): Promise<ReadonlyMap<string, readonly string[]>> {
  const texts = new Map<string, string[]>()
  const add = (name: string, relation: string, facts: InlineRelation['rows'][number]): void => {
    const known = texts.get(name) ?? []
    known.push(JSON.stringify([relation, ...facts]))
    texts.set(name, known)
  }
  const lines = new Map(rowsOf(relations, 'price_line').map(([line, ...key]) => [line, JSON.stringify(key)]))
  await eachInSlices(rowsOf(relations, 'price'), ([line, ...facts]) => add(lines.get(line ?? null) ?? '', 'price', facts))
  await eachInSlices(rowsOf(relations, 'fixed_term'), ([tenant, phase, ...facts]) =>
    add(JSON.stringify([tenant, phase, null]), 'fixed_term', facts),
  )
  for (const relation of ['base_addon', 'addon_plan'])
    await eachInSlices(rowsOf(relations, relation), ([tenant, plan, ...facts]) =>
      add(JSON.stringify([tenant, plan]), relation, facts),
    )
  return texts
}

/** The names of all subjects whose rows an account of this currency with an event in this phase reads. */
export function namesOf(tenant: number, phase: string, currency: string): readonly string[] {
  return [
    [tenant, phase, currency],
    [tenant, phase, null],
    [tenant, planOfPhase(phase)],
  ].map((name) => JSON.stringify(name))
}

/** The subject of a name. Add-ons are named by plan. */
export function subjectOf(name: string): Subject {
  const [tenant, word, ...rest] = JSON.parse(name) as [tenant: number, word: string, currency?: string | null]
  if (rest.length > 0) return { tenant, phases: [word], currency: rest[0] ?? null }
  return { tenant, phases: [word, ...PHASE_TYPES.map((type) => phaseName(word, type))], currency: null }
}

/** The subjects whose rows differ from those of earlier marks with the same plan numbers. `before` are the earlier relations, if they are known. */
export function catalogChanges(marks: CatalogMarks, now: CatalogDigests, before?: CatalogDigests): CatalogChanges {
  if (now.marks.all === marks.all) return { subjects: [], unnamed: new Set() }
  const old = before?.rows ?? rowsOfMarks(marks)
  const changed = [...new Set([...old.keys(), ...now.rows.keys()])].filter((key) => old.get(key) !== now.rows.get(key))
  const unnamed = new Set<string>()
  const subjects: Subject[] = []
  for (const key of changed) {
    const name = now.names.get(key) ?? before?.names.get(key)
    if (name === undefined) unnamed.add(key)
    else subjects.push(subjectOf(name))
  }
  return { subjects, unnamed }
}

function rowsOfMarks({ subjects }: CatalogMarks): ReadonlyMap<string, string> {
  const pairs = unpacked(subjects, 2 * DIGEST_LENGTH)
  return new Map(pairs.map((pair) => [pair.slice(0, DIGEST_LENGTH), pair.slice(DIGEST_LENGTH)]))
}

/** Pieces of one length that were joined. */
export function unpacked(text: string, length: number): readonly string[] {
  return Array.from({ length: text.length / length }, (_, place) => text.slice(place * length, (place + 1) * length))
}

function rowsOf(relations: Relations, name: string): InlineRelation['rows'] {
  return relations.find((relation) => relation.name === name)?.rows ?? []
}
