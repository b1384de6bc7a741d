import { mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeDirectory } from '../../src/core/make-directory.ts'
import { makePrivateDirectory } from '../../src/core/private-directory.ts'
import { sourceFiles } from '../arch/source-tree.ts'

describe('makeDirectory', () => {
  let root: string
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'pl-make-'))
    await writeFile(join(root, 'file'), '')
    await symlink(join(root, 'nowhere'), join(root, 'dangling'))
  })
  afterAll(() => rm(root, { recursive: true, force: true }))

  const codeOf = (path: string) =>
    makeDirectory(path, 0o700).then(
      () => 'made',
      (error: NodeJS.ErrnoException) => error.code,
    )

  it('makes a directory with those above it, and leaves one that exists', async () => {
    const path = join(root, 'a', 'b', 'c')
    expect(await codeOf(path)).toBe('made')
    expect(await codeOf(path)).toBe('made')
    for (const each of [path, join(root, 'a')]) expect((await stat(each)).mode & 0o777).toBe(0o700)
    expect(await codeOf('/')).toBe('made')
  })

  it('makes one directory for many at once', async () => {
    const path = join(root, 'd', 'e', 'f')
    expect(new Set(await Promise.all(Array.from({ length: 20 }, () => codeOf(path))))).toEqual(new Set(['made']))
  })

  it('rejects where something else is in the way', async () => {
    expect(await codeOf(join(root, 'file'))).toBe('EEXIST')
    expect(await codeOf(join(root, 'file', 'below'))).toBe('ENOTDIR')
    expect(await codeOf(join(root, 'dangling'))).toBe('EEXIST')
    expect(await codeOf(join(root, 'dangling', 'below'))).toBe('EEXIST')
  })

  // The recursive mkdir of Node.js never returns here, and takes a processor.
  it.skipIf(process.platform !== 'linux')('ends where a directory cannot be made although its parent exists', async () => {
    expect(await codeOf('/proc/plumbline')).toBe('ENOENT')
    expect(await codeOf('/proc/plumbline/a/b')).toBe('ENOENT')
    expect(await makePrivateDirectory('/proc/plumbline/a')).toEqual({
      problem: '/proc/plumbline/a cannot be used (ENOENT)',
      wasWritable: true,
    })
  })

  it('is the only way in which the product makes directories of a given name', () => {
    const files = [...sourceFiles('src', ['.ts']), ...sourceFiles('connectors', ['.ts'])]
    const recursive = files.filter(({ text }) => /\bmkdir(?:Sync)?\([^)]*recursive/.test(text))
    expect(recursive.map(({ path }) => path)).toEqual([])
  })
})
