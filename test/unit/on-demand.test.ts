import { describe, expect, it } from 'vitest'
import { loadAll, onDemand } from '../../src/core/on-demand.ts'
import { type SourceFile, sourceFiles } from '../arch/source-tree.ts'

/** Files whose imports come before a service listens, or never in a service: commands, and what they begin with. */
const BEFORE = [
  /^src\/app\/bin\//,
  /^src\/app\/compose\.ts$/,
  /^src\/facades\/cli\//,
  /^src\/workspace\/store\/open\/earlier-embedded\.ts$/,
]

/** Imports of a file at run time that `onDemand` does not know. */
function unknownImports({ text }: SourceFile): number {
  const all = text.match(/(?<![.\w])import\('/g)?.length ?? 0
  const known = text.match(/\bonDemand\(\(\) => import\('/g)?.length ?? 0
  return all - known
}

describe('onDemand', () => {
  it('loads a part once, at its first use or with all others, and the parts of the part', async () => {
    const loaded: string[] = []
    const first = onDemand(() => {
      loaded.push('first')
      onDemand(() => void loaded.push('part of the first'))
      return 1
    })
    const second = onDemand(async () => void loaded.push('second'))
    await second()
    expect(loaded).toEqual(['second'])
    await loadAll()
    await loadAll()
    expect(loaded).toEqual(['second', 'first', 'part of the first'])
    expect(first()).toBe(1)
  })

  it('knows everything that a running service imports', () => {
    const files = [...sourceFiles('src', ['.ts']), ...sourceFiles('connectors', ['.ts'])].filter(
      ({ path }) => !path.startsWith('src/web/') && !BEFORE.some((pattern) => pattern.test(path)),
    )
    expect(files.filter((file) => unknownImports(file) !== 0).map(({ path }) => path)).toEqual([])
    const composed = sourceFiles('src/app', ['.ts']).find(({ path }) => path === 'src/app/compose.ts')
    // The service itself.
    expect(composed && unknownImports(composed)).toBe(1)
  })
})
