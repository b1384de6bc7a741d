import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { access, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { PGlite } from '@electric-sql/pglite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packageRoot } from '../../src/core/package-root.ts'
import { readExamples } from '../../src/facades/http/openapi/show-examples.ts'
import { builtInRegistry } from '../../src/metrics/built-in.ts'
import { documentOfProduct } from '../http/product-document.ts'
import { isBuilt } from '../support/product/built-product.ts'
import { clientCalls } from './client-calls.ts'

const run = promisify(execFile)
const ROOT = packageRoot()
const TSC = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')

/** The output of the consumer. */
interface Printed {
  readonly samples: {
    readonly mrr: number
    readonly units: number
    readonly units_by_plan: readonly { readonly plan_id: string; readonly units: number }[]
    readonly units_by_region: readonly { readonly region: string | null; readonly units: number }[]
    readonly served: unknown
    readonly units_asked: unknown
    readonly embedded: unknown
    readonly summary_of_europe: { readonly mrr: number }
    readonly mistyped: unknown
    readonly regions: {
      readonly mrr: readonly { readonly region: string | null; readonly mrr: number }[]
      readonly europe: readonly { readonly plan_id: string; readonly mrr: number }[]
    }
    readonly over_http: Record<string, unknown>
    readonly metrics: readonly string[]
  }
  readonly ledger: {
    readonly customers: readonly Record<string, unknown>[]
    readonly refused: string
    readonly conformance: readonly unknown[]
    readonly broken: readonly string[]
  }
}

/** Puts packages of this repository's installation into a project, which is what an installation without a network comes to. */
async function link(names: readonly string[], modules: string): Promise<void> {
  for (const name of names) {
    await mkdir(dirname(join(modules, name)), { recursive: true })
    await symlink(join(ROOT, 'node_modules', name), join(modules, name))
  }
}

/** Packs the product as it would be published, and unpacks it as the only thing but zod and the types of Node that a project has. */
async function install(project: string): Promise<string> {
  await cp(join(ROOT, 'test', 'consumer'), project, { recursive: true })
  await writeFile(join(project, 'src', 'every-endpoint.ts'), clientCalls(await documentOfProduct(), readExamples()))
  // Packing builds, and who reads `dist` meanwhile would find half of it.
  const asItIs = (await isBuilt()) ? ['--ignore-scripts'] : []
  const words = ['pack', '--json', '--pack-destination', project, ...asItIs]
  const { stdout } = await run('npm', words, { cwd: ROOT, maxBuffer: 2 ** 24 })
  const [packed] = JSON.parse(stdout.slice(stdout.indexOf('['))) as { readonly filename: string }[]
  if (packed === undefined) throw new Error('npm packed nothing')
  const installed = join(project, 'node_modules', 'plumbline')
  await mkdir(installed, { recursive: true })
  await run('tar', ['-xzf', join(project, packed.filename), '-C', installed, '--strip-components=1'])
  const { dependencies } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'))
  await link(Object.keys(dependencies), join(installed, 'node_modules'))
  await link(['zod', '@types/node'], join(project, 'node_modules'))
  return installed
}

describe('the packed package in a separate project', () => {
  let project: string
  let installed: string
  let printed: Printed
  beforeAll(async () => {
    project = await mkdtemp(join(tmpdir(), 'plumbline-consumer-'))
    installed = await install(project)
    // The product makes no billing database, so the ledger's, which is empty, must be there.
    await (await PGlite.create(join(project, 'ledger-data'))).close()
    await run(process.execPath, [TSC, '-p', project]).catch((error: { stdout: string }) => {
      throw new Error(`the project does not compile:\n${error.stdout}`)
    })
    const { stdout } = await run(process.execPath, [join(project, 'dist', 'main.js')], { cwd: project })
    printed = JSON.parse(stdout)
  })
  afterAll(() => rm(project, { recursive: true, force: true }))

  it('answers over the sample data', () => {
    expect(printed.samples.mrr).toBe(5_114_837)
  })

  it('answers as docs/tour.md embeds it, letter by letter', async () => {
    const guide = await readFile(join(ROOT, 'docs', 'tour.md'), 'utf8')
    expect(guide).toContain(await readFile(join(ROOT, 'test', 'consumer', 'src', 'ask-sample.ts'), 'utf8'))
    expect(printed.samples.embedded).toBe(printed.samples.mrr)
  })

  it("answers a metric of the project's own with its own SQL, plain, sliced and over HTTP", () => {
    const { units, units_by_plan, served, units_asked, metrics } = printed.samples
    expect(units).toBeGreaterThan(0)
    expect(units_by_plan.length).toBeGreaterThan(1)
    expect(units_by_plan.reduce((sum, row) => sum + row.units, 0)).toBe(units)
    expect(served).toEqual(units_by_plan)
    expect(units_asked).toEqual(units_by_plan)
    expect(metrics).toEqual([...builtInRegistry().names, 'units'].sort())
  })

  it("groups and filters the product's metrics, and its own, by a dimension of the project's own", () => {
    const { mrr, units, units_by_region, regions, summary_of_europe, mistyped } = printed.samples
    const order = ['europe', 'americas', 'elsewhere', null]
    expect(regions.mrr.length).toBeGreaterThan(1)
    expect(regions.mrr.map(({ region }) => region)).toEqual(
      order.filter((name) => regions.mrr.some((row) => row.region === name)),
    )
    expect(regions.mrr.reduce((sum, row) => sum + row.mrr, 0)).toBe(mrr)
    const europe = regions.mrr.find(({ region }) => region === 'europe')?.mrr
    expect(regions.europe.reduce((sum, row) => sum + row.mrr, 0)).toBe(europe)
    expect(summary_of_europe.mrr).toBe(europe)
    expect(units_by_region.reduce((sum, row) => sum + row.units, 0)).toBe(units)
    expect(mistyped).toMatchObject({ code: 'unknown_dimension', issues: [{ did_you_mean: ['region'] }] })
  })

  it('has a client that types and answers every kind of call', () => {
    const { over_http, mrr } = printed.samples
    expect(over_http).toEqual({
      mrr,
      isFresh: true,
      warnings: [],
      same_customer: true,
      arr: 12 * mrr,
      csv_header: 'plan_id,mrr',
      narrowed: over_http['first_mrr'],
      first_mrr: expect.any(Number),
      values_written: 1,
      refused: { code: 'invalid_value', issues: 1 },
    })
  })

  it("reads a connector of the project's own, refuses what it does not supply, and judges it by the conformance kit", () => {
    const { customers, refused, conformance, broken } = printed.ledger
    expect(customers).toMatchObject([{ source_id: 'books', customer_id: 'c-1' }])
    expect(refused).toBe('unsupported_by_connector')
    expect(conformance).toEqual([])
    expect(broken).toEqual(['grain'])
  })

  it('has a command that can be run as a file', async () => {
    const command = join(installed, 'dist', 'src', 'app', 'bin', 'cli.js')
    await access(command, constants.X_OK)
    const { version } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'))
    expect((await run(command, ['--version'])).stdout.trim()).toContain(version)
    await access(join(ROOT, 'dist', 'src', 'app', 'bin', 'cli.js'), constants.X_OK)
  })

  it('says its version, helps and refuses without what talks to databases or speaks HTTP', async () => {
    const command = join(installed, 'dist', 'src', 'app', 'bin', 'cli.js')
    const loader = `export async function load(url, context, next) { process._rawDebug('loaded ' + url); return next(url, context) }`
    const place = JSON.stringify(`data:text/javascript,${encodeURIComponent(loader)}`)
    const register = `import { register } from 'node:module'; register(${place})`
    const hook = ['--import', `data:text/javascript,${encodeURIComponent(register)}`]
    for (const argv of [
      ['--version'],
      ['--help'],
      ['mrr', 'breakdown', '--help'],
      ['mrr', '--bogus'],
      ['__complete', 'mrr', ''],
    ]) {
      const { stdout, stderr } = await run(process.execPath, [...hook, command, ...argv]).catch((error) => error)
      expect(`${stdout}${stderr}`.replaceAll(/^loaded .*\n/gm, '')).not.toBe('')
      const loaded = [...stderr.matchAll(/^loaded file:(\S+)$/gm)].map(([, path = '']) => path)
      expect(loaded.filter((path) => path.includes('/node_modules/plumbline/dist/')).length).toBeGreaterThan(5)
      const packages = loaded.flatMap((path) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? [])
      expect(new Set(packages.filter((name) => name !== 'plumbline' && name !== 'citty'))).toEqual(new Set())
      expect(loaded.length).toBeLessThan(40)
    }
  })

  it('has a manual page that names its commands', async () => {
    const { man } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'))
    const page = await readFile(join(installed, man), 'utf8')
    expect(page).toMatch(/^\.TH PLUMBLINE 1/)
    for (const name of ['summary', 'mrr breakdown', 'fx fetch ecb', 'completion']) expect(page).toContain(`.SS ${name}`)
  })

  it('shows nothing else', async () => {
    const script = "import('plumbline/dist/src/app/compose.js').then(() => 'open', ({ code }) => code).then(console.log)"
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script], { cwd: project })
    expect(stdout.trim()).toBe('ERR_PACKAGE_PATH_NOT_EXPORTED')
  })
})
