/** Tests that take minutes together because they kill processes, wait for time limits or look at the same pages over other data. */
const RELEASE_ONLY = 'test/**/*.release.test.ts'

/** What a run leaves out: nothing where TEST_RELEASE is set. */
export function leftOut(environment: Readonly<Record<string, string | undefined>>): string[] {
  return environment['TEST_RELEASE'] === undefined ? [RELEASE_ONLY] : []
}
