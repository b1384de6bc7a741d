import { type BoundValue, type Fragment, type FragmentNode, fragment } from '../../compiler/fragment.ts'
import type { Calendar } from '../../core/calendar.ts'
import type { CountedRun, DataRun } from '../run.ts'

type Run = DataRun & Partial<Pick<CountedRun, 'parts'>>

/**
 * Puts instants in place of clock times. Days, periods and now of a request are clock times of its calendar (D84), and the database holds
 * instants. So every `Date` of a run becomes an instant before the statement is compiled. Times as text are instants already.
 */
interface ToInstants {
  run<Asked extends Run>(run: Asked): Asked
  window<Window extends DataRun['window'] | undefined>(window: Window): Window
  built(relations: ReadonlyMap<string, Fragment>): ReadonlyMap<string, Fragment>
}

/** In UTC, a clock time is its instant. */
const AS_IS: ToInstants = { run: (run) => run, window: (window) => window, built: (relations) => relations }

/** The conversions of a calendar. */
export function toInstants({ stretches, instantOf }: Calendar): ToInstants {
  if (stretches.length === 0) return AS_IS
  // A value that is used twice stays one object, so that it becomes one placeholder.
  const made = new Map<FragmentNode, FragmentNode>()
  const node = (one: FragmentNode): FragmentNode => {
    if (one.kind === 'fn') return { ...one, args: one.args.map(part) }
    if (one.kind !== 'value' || !(one.value instanceof Date)) return one
    const known = made.get(one) ?? { ...one, value: instantOf(one.value) }
    made.set(one, known)
    return known
  }
  const part = ({ nodes }: Fragment): Fragment => fragment(nodes.map(node))
  const cell = (value: BoundValue) => (value instanceof Date ? instantOf(value) : value)
  const window: ToInstants['window'] = (one) => one && { ...one, from: instantOf(one.from), to: instantOf(one.to) }
  const parts = (some: Readonly<Record<string, Fragment>>) => mapValues(some, part)
  const run: ToInstants['run'] = (asked) => ({
    ...asked,
    slots: parts({ ...asked.slots }),
    params: mapValues(asked.params, cell),
    window: window(asked.window),
    ...(asked.inline && { inline: asked.inline.map((one) => ({ ...one, rows: one.rows.map((row) => row.map(cell)) })) }),
    ...(asked.instants && { instants: asked.instants.map(instantOf) }),
    ...(asked.built && { built: built(asked.built) }),
    ...(asked.parts && { parts: new Map([...asked.parts].map(([name, one]) => [name, counted(one)])) }),
  })
  const counted = ({ run: own, carried, ending }: Counted) => ({ run: run(own), carried: part(carried), ending: part(ending) })
  const built = (relations: ReadonlyMap<string, Fragment>) =>
    new Map([...relations].map(([name, relation]) => [name, part(relation)]))
  return { run, window, built }
}

type Counted = NonNullable<ReturnType<CountedRun['parts']['get']>>

function mapValues<From, To>(record: Readonly<Record<string, From>>, change: (value: From) => To): Readonly<Record<string, To>> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]))
}
