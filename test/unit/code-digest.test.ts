import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { buildDigest, codeDigest } from '../../src/app/code-digest.ts'

let root: string

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'plumbline-code-'))
})
afterEach(() => rm(root, { recursive: true }))

async function write(path: string, text: string): Promise<string> {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), text)
  return codeDigest('own', root)
}

it.each([
  'src/cache/mirror/fill.js',
  'src/cache/mirror/parts/fill.ts',
  'src/cache/held/steps.js',
  'src/cache/lake/publish.js',
  'src/connector-kit/views.js',
  'src/core/money.js',
  'connectors/own/raw-tables.js',
])('differs after a change of %s', async (path) => {
  const first = await write(path, 'one')
  expect(await write(path, 'two')).not.toBe(first)
  expect(await write(path, 'one')).toBe(first)
})

it.each(['src/cache/mirror/fill.d.ts', 'src/facades/cli/main.js', 'connectors/other/raw-tables.js'])(
  'stays the same after a change of %s',
  async (path) => {
    const first = codeDigest('own', root)
    expect(await write(path, 'one')).toBe(first)
  },
)

it('covers the programs of the product, and those of the connector', () => {
  const none = codeDigest('own', root)
  const [killbill, lago, unknown] = [codeDigest('killbill'), codeDigest('lago'), codeDigest('unknown')]
  expect(new Set([none, killbill, lago, unknown]).size).toBe(4)
  expect(codeDigest('killbill')).toBe(killbill)
  expect(new Set([...[killbill, lago], ...['killbill', 'lago', 'unknown'].map((name) => buildDigest(name))]).size).toBe(5)
  expect(buildDigest('killbill')).toBe(buildDigest('killbill'))
})

it.each([
  'src/metrics/mrr/build.js',
  'src/app/compose.ts',
  'connectors/own/session.js',
  'connectors/own/relations/plan.sql',
  'sql/mrr.sql',
])('of a build differs after a change of %s', async (path) => {
  const ofBuild = () => buildDigest('own', root, root)
  const first = ofBuild()
  await write(path, 'one')
  const second = ofBuild()
  await write(path, 'two')
  expect(new Set([first, second, ofBuild()]).size).toBe(3)
  await write(path, 'one')
  expect(ofBuild()).toBe(second)
})

it.each([
  'src/facades/cli/main.js',
  'src/web/page.js',
  'src/client/index.js',
  'docs/openapi/types.js',
  'connectors/other/plan.sql',
  'docs/a.js',
  'sql/README.md',
])('of a build stays the same after a change of %s', async (path) => {
  const first = buildDigest('own', root, root)
  await write(path, 'one')
  expect(buildDigest('own', root, root)).toBe(first)
})
