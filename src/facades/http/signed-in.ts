import type { RequestContext } from './environment.ts'

/** The id of the user who writes a record; null if authentication is off. */
export function signedIn(context: RequestContext): string | null {
  const { id, kind } = context.get('principal')
  return kind === 'anonymous' ? null : id
}
