import { collectIssues, throwIssues } from '../../query/issues.ts'
import { type Raw, readParameters } from '../../query/raw-parameters.ts'
import { whereInQuery } from './where.ts'

/** Refuses every parameter of an operation that takes none. AppError `invalid_value` with every issue. */
export function refuseParameters(given: Raw): void {
  const { report, issues } = collectIssues()
  // Named here: the same request may have a body, of which other issues are.
  const reportInQuery: typeof report = (code, where, ...rest) => report(code, whereInQuery(where), ...rest)
  readParameters(given, { own: [], accepted: [], isPlain: true }, reportInQuery)
  throwIssues(issues)
}
