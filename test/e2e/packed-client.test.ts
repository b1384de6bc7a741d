import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProduct } from '../../src/app/bin/product.ts'
import { packageRoot } from '../../src/core/package-root.ts'
import type { OpenProduct, RunningService } from '../../src/facades/cli/product.ts'
import { blocksOf } from '../support/product/documented-blocks.ts'

const run = promisify(execFile)
const ROOT = packageRoot()
const TSC = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')

/** A project in which nothing but the client is installed, not even the types of Node. */
const MANIFEST = { name: 'caller', private: true, type: 'module' }
const COMPILER = {
  compilerOptions: {
    target: 'es2023',
    lib: ['es2023', 'dom'],
    module: 'nodenext',
    types: [],
    strict: true,
    outDir: 'dist',
    rootDir: 'src',
  },
  include: ['src'],
}

const ASK = `import { askOverHttp } from './over-http.js'

export const ask = async (url: string) => JSON.stringify(await askOverHttp(url))
`

/** The text of a guide and of a program, with the client under its own name. */
async function sources(): Promise<Readonly<Record<string, string>>> {
  const shown = blocksOf('docs/client.md').filter(({ language }) => language === 'ts')
  const inReadme = blocksOf('src/client/README.md').filter(({ language }) => language === 'ts')
  const program = await readFile(join(ROOT, 'test', 'consumer', 'src', 'over-http.ts'), 'utf8')
  if (shown.length === 0 || inReadme.length === 0) throw new Error('a guide of the client shows nothing')
  return {
    'guide.ts': shown.map(({ text }) => text).join('\n'),
    'readme.ts': inReadme.map(({ text }) => text).join('\n'),
    'over-http.ts': program.replace("'plumbline/client'", "'plumbline-client'"),
    'ask.ts': ASK,
  }
}

describe('the package of the client', () => {
  let project: string
  let installed: string
  let demo: OpenProduct
  let service: RunningService
  beforeAll(async () => {
    project = await mkdtemp(join(tmpdir(), 'plumbline-client-test-'))
    installed = join(project, 'node_modules', 'plumbline-client')
    await run('npm', ['run', '--silent', 'pack:client', '--', project], { cwd: ROOT })
    const tarball = (await readdir(project)).find((name) => name.endsWith('.tgz'))
    await writeFile(join(project, 'package.json'), JSON.stringify(MANIFEST))
    await run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${tarball}`], { cwd: project })
    await writeFile(join(project, 'tsconfig.json'), JSON.stringify(COMPILER))
    await mkdir(join(project, 'src'))
    for (const [name, text] of Object.entries(await sources())) await writeFile(join(project, 'src', name), text)
    await run(process.execPath, [TSC, '-p', project]).catch((error: { stdout: string }) => {
      throw new Error(`the project does not compile:\n${error.stdout}`)
    })
    demo = await createProduct({ environment: {}, cwd: project, home: undefined }).openDemo({ port: '0' })
    service = await demo.serve()
  })
  afterAll(async () => {
    await service?.stop()
    await demo?.close()
    await rm(project, { recursive: true, force: true })
  })

  it('installs alone, with code, types, licence and a page about it', async () => {
    expect((await readdir(join(project, 'node_modules'))).filter((name) => !name.startsWith('.'))).toEqual(['plumbline-client'])
    const files = await readdir(installed, { recursive: true, withFileTypes: true })
    const programs = ['docs/openapi/types', ...['error', 'index', 'operation'].map((name) => `src/client/${name}`)]
    expect(
      files
        .filter((file) => file.isFile())
        .map(({ parentPath, name }) => relative(installed, join(parentPath, name)))
        .sort(),
    ).toEqual(['LICENSE', 'README.md', 'package.json', ...programs.flatMap((name) => [`${name}.d.ts`, `${name}.js`])].sort())
  })

  it('has the version of the service and no dependencies', async () => {
    const { name, version, ...manifest } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'))
    const service = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
    expect({ name, version }).toEqual({ name: 'plumbline-client', version: service.version })
    expect(manifest.engines).toEqual(service.engines)
    expect(Object.keys(manifest).filter((key) => /dependencies|scripts/i.test(key))).toEqual([])
  })

  it('asks the demo', async () => {
    const script = "const { ask } = await import('./dist/ask.js'); console.log(await ask(process.argv[1]))"
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script, service.url], { cwd: project })
    expect(JSON.parse(stdout)).toMatchObject({
      mrr: 5_114_837,
      arr: 12 * 5_114_837,
      same_customer: true,
      csv_header: 'plan_id,mrr',
      values_written: 1,
      refused: { code: 'invalid_value', issues: 1 },
    })
  })
})
