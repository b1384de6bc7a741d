import { randomUUID } from 'node:crypto'
import { AppError } from '../../core/errors.ts'
import type { FindingMark, MarkedAmounts, MarkedThing, MarkState } from '../../core/finding-mark.ts'
import { isRecordId, type Workspace } from '../../core/workspace.ts'
import type { EngineDependencies } from '../../execution/dependencies.ts'
import { markStore } from '../../execution/session/stores.ts'
import { type Body, bodyIssue } from '../records/body.ts'

/** The marks of findings and notices (http-api.md 12). */
export interface MarkResource {
  /** Newest first. */
  list(): Promise<readonly FindingMark[]>
  /**
   * Marks the finding or notice that the body names. An earlier mark of it is replaced. `by` is the user, null if authentication is off. AppError
   * `validation_failed` with every problem of the body, `not_found` if nothing has these ids at present, `conflict` if several have.
   */
  create(body: unknown, by?: string | null): Promise<FindingMark>
  /** AppError `not_found`. */
  delete(id: string): Promise<void>
}

/** A checked body of a new mark. */
interface NewMark {
  readonly kind: string
  readonly source_id?: string | null | undefined
  readonly customer_id?: string | null | undefined
  readonly subscription_id?: string | null | undefined
  readonly invoice_id?: string | null | undefined
  readonly state: MarkState
  readonly note?: string | null | undefined
}

/** The parts of a resource that know findings and notices. */
export interface MarkedThings {
  readonly body: Body<NewMark>
  /** Why a kind cannot be marked as no error. Undefined: it can. */
  whyNoError(kind: string): string | undefined
  /** The findings and notices of now that a body names. */
  find(named: NewMark): Promise<readonly (MarkedThing & MarkedAmounts)[]>
}

/** Marks in the side store. They belong to `workspace`. */
export function createMarkResource(
  deps: Pick<EngineDependencies, 'store' | 'connector' | 'clock' | 'writeClock'>,
  { body: shape, whyNoError, find }: MarkedThings,
  workspace: () => Promise<Workspace>,
): MarkResource {
  const opened = async () => markStore(deps)(await workspace())
  return {
    list: async () => (await opened()).list(),
    async create(body, by = null) {
      const store = await opened()
      const named = shape.parse(body)
      const refused = named.state === 'no_error' ? whyNoError(named.kind) : undefined
      if (refused !== undefined) shape.parse(body, [bodyIssue(['state'], refused)])
      const [thing, ...others] = await find(named)
      if (thing === undefined)
        throw new AppError('not_found', `No finding or notice of the kind "${named.kind}" has these ids at present.`)
      if (others.length > 0) throw severalNamed(others.length + 1, named.kind)
      const created_at = (deps.writeClock ?? deps.clock).now().toISOString()
      const note = named.note === undefined || named.note === '' ? null : named.note
      return store.put({ id: randomUUID(), ...thing, state: named.state, note, author: by, created_at })
    },
    async delete(id) {
      const store = await opened()
      if (!isRecordId(id) || !(await store.delete(id))) throw new AppError('not_found', 'No mark has this id.')
    },
  }
}

function severalNamed(count: number, kind: string): AppError {
  return new AppError(
    'conflict',
    `${count} findings or notices of the kind "${kind}" have these ids. Name one with source_id, customer_id, subscription_id or invoice_id.`,
  )
}
