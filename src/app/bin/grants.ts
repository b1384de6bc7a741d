import { ConfigurationError } from '../../core/errors.ts'
import type { GrantRequest } from '../../core/grant-request.ts'
import { BUILT_IN_CONNECTORS } from '../built-in-connectors.ts'

/** Statements that make a role which can only read what the built-in connector reads. AppError `invalid_value` for a table it does not. */
export function grants(request: GrantRequest): readonly string[] {
  const connector = BUILT_IN_CONNECTORS.find((candidate) => candidate.grants !== undefined)
  if (connector?.grants === undefined) throw new ConfigurationError(['no connector tells the grants that it needs'])
  return connector.grants(request)
}
