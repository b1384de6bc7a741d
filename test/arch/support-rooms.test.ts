import { dirname, posix } from 'node:path'
import { expect, it } from 'vitest'
import { importsOf, sourceFiles } from './source-tree.ts'

/** The rooms of test/support. A room may import those before it. */
const ROOMS = ['databases', 'data', 'product', 'oracles']

/** `global-setup.ts` looks for Chromium, to say what a run does not cover. */
const ALLOWED = ['test/support/databases/global-setup.ts → test/support/product/chromium.ts']

const imports = sourceFiles('test/support', ['.ts']).flatMap((file) =>
  importsOf(file)
    .filter(({ specifier }) => specifier.startsWith('.'))
    .map(({ specifier }) => ({ from: file.path, to: posix.join(dirname(file.path), specifier) })),
)
const roomOf = (path: string) => ROOMS.indexOf(/^test\/support\/(\w+)\//.exec(path)?.[1] ?? '')

it('the rooms of test/support import only rooms before them', () => {
  const upward = imports.filter(({ from, to }) => roomOf(to) > roomOf(from)).map(({ from, to }) => `${from} → ${to}`)
  expect(imports.length).toBeGreaterThan(300)
  expect(upward).toEqual(ALLOWED)
})

it('test/support imports no tests', () => {
  const outside = imports.filter(({ to }) => to.startsWith('test/') && roomOf(to) === -1)
  expect(outside.map(({ from, to }) => `${from} → ${to}`)).toEqual([])
})
