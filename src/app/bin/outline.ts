import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Outline } from '../../facades/cli/command.ts'

/** The file to which the build writes the outline. */
export const OUTLINE_FILE = fileURLToPath(new URL('outline.json', import.meta.url))

/** The outline of the command line: from the file of the build or, in a checkout, computed from the commands. */
export async function readOutline(): Promise<Outline> {
  const written = textOf(OUTLINE_FILE)
  return written === null ? makeOutline() : (JSON.parse(written) as Outline)
}

/** Computes the outline from the commands and the built-in metrics. */
export async function makeOutline(): Promise<Outline> {
  const [{ describeCommandLine }, { BUILT_IN_METRICS }, { SAMPLE_NAMES }] = await Promise.all([
    import('../../facades/cli/commands/index.ts'),
    import('../../metrics/built-in.ts'),
    import('../demo/sample-data.ts'),
  ])
  return describeCommandLine(BUILT_IN_METRICS, SAMPLE_NAMES)
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}
