/** Tests that take minutes together, such as those that kill processes or wait for time limits (docs/decisions.md 101). */
const RELEASE_ONLY = 'test/**/*.release.test.ts'

/** The files that a run leaves out: none if TEST_RELEASE is set. */
export function leftOut(environment: Readonly<Record<string, string | undefined>>): string[] {
  return environment['TEST_RELEASE'] === undefined ? [RELEASE_ONLY] : []
}
