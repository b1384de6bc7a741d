import { AppError, ERROR_CODES, errorFromIssues, type Issue } from '../../core/errors.ts'
import { type Answer, type AskOptions, type Engine, type LargePlace, PlaceNeeded } from '../../engine/engine.ts'
import type { RawRequest } from './raw-request.ts'

/** An operation of the engine that takes what a facade read. */
export type Operation = (params: RawRequest['params'], spec: RawRequest['spec'], options: AskOptions) => Promise<Answer>

/** The engine's query of a metric behind a route or command. */
export function ask(engine: Engine, metric: string, request: RawRequest, options: AskOptions): Promise<Answer> {
  return askOperation((params, spec, settings) => engine.query(metric, params, spec, settings), request, options)
}

/**
 * The one engine call behind a route or command. When the facade's own syntax was wrong, the engine is still asked what else is, so that
 * all issues are reported at once; its database is left alone then.
 */
export async function askOperation(operation: Operation, request: RawRequest, options: AskOptions): Promise<Answer> {
  if (request.issues.length === 0) return withPlace(options.large, () => operation(request.params, request.spec, options))
  const others = await refusalOf(operation, request)
  throw merged(request.issues, others)
}

/** Most times that a question is asked again, should it have met others' that had no place. */
const MOST_TRIES = 3

// A large answer that has to wait does so without a snapshot, and is then asked for anew.
async function withPlace(large: LargePlace | undefined, ask: () => Promise<Answer>, tries = 1): Promise<Answer> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof PlaceNeeded) || large === undefined || tries >= MOST_TRIES) throw error
    await large.wait()
    return withPlace(large, ask, tries + 1)
  }
}

async function refusalOf(operation: Operation, request: RawRequest): Promise<AppError | undefined> {
  try {
    // Aborted from the start: parameters are judged before anything is asked of the database.
    await operation(request.params, request.spec, { signal: AbortSignal.abort() })
    return undefined
  } catch (error) {
    return error instanceof AppError && error.issues !== undefined ? error : undefined
  }
}

function merged(own: readonly Issue[], others: AppError | undefined): AppError {
  const leading = errorFromIssues([...own, ...(others?.issues ?? [])])
  const context = others !== undefined && rank(others) === rank(leading) ? others.context : {}
  return new AppError(leading.code, leading.message, { context: { ...context }, issues: leading.issues ?? [] })
}

function rank(error: AppError): number {
  return Object.keys(ERROR_CODES).indexOf(error.code)
}
