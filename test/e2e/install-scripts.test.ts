import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { packageRoot } from '../../src/core/package-root.ts'

const read = async (name: string) => JSON.parse(await readFile(join(packageRoot(), name), 'utf8'))

it('no package runs a script when it is installed, and npm has nothing to ask about', async () => {
  const { allowScripts } = await read('package.json')
  const packages: Record<string, { hasInstallScript?: true }> = (await read('package-lock.json')).packages
  const withScript = Object.keys(packages).filter((path) => packages[path]?.hasInstallScript)
  const names = withScript.map((path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length))
  expect(names.length).toBeGreaterThan(0)
  expect(allowScripts).toEqual(Object.fromEntries(names.map((name) => [name, false])))
})
