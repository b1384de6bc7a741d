import { AppError, ERROR_CODES, errorFromIssues, type Issue } from '../../core/errors.ts'
import { type Answer, type AskOptions, type Engine, type LargePlace, PlaceNeeded } from '../../engine/engine.ts'
import type { RawRequest } from './raw-request.ts'

/** An engine operation that takes the parameters and the spec from a facade. */
export type Operation<Result = Answer> = (
  params: RawRequest['params'],
  spec: RawRequest['spec'],
  options: AskOptions,
) => Promise<Result>

/** Runs a query of a metric for a route or command. */
export function ask(engine: Engine, metric: string, request: RawRequest, options: AskOptions): Promise<Answer> {
  return askOperation((params, spec, settings) => engine.query(metric, params, spec, settings), request, options)
}

/**
 * Runs an engine operation for a route or command. If the facade found syntax issues, the engine still validates the rest, so that all issues
 * are reported at once. In that case it does not access the database.
 */
export async function askOperation<Result>(
  operation: Operation<Result>,
  request: RawRequest,
  options: AskOptions,
): Promise<Result> {
  if (request.issues.length === 0) return withPlace(options.large, () => operation(request.params, request.spec, options))
  const others = await refusalOf(operation, request)
  throw merged(request.issues, others)
}

/** Most attempts of a large query. After each wait, another request may already have taken the place. */
const MOST_TRIES = 3

// Runs a large query again after the wait, because it holds no snapshot while it waits for its place.
async function withPlace<Result>(large: LargePlace | undefined, ask: () => Promise<Result>, tries = 1): Promise<Result> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof PlaceNeeded) || large === undefined || tries >= MOST_TRIES) throw error
    await large.wait()
    return withPlace(large, ask, tries + 1)
  }
}

async function refusalOf(operation: Operation<unknown>, request: RawRequest): Promise<AppError | undefined> {
  try {
    // The signal is already aborted, so the engine validates the parameters but does not access the database.
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
