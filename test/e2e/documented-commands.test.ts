import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadConfig } from '../../src/app/config/config.ts'
import type { SampleData } from '../../src/app/demo/sample-data.ts'
import { ERROR_CODES } from '../../src/core/errors.ts'
import { packageRoot } from '../../src/core/package-root.ts'
import { sourceFiles } from '../arch/source-tree.ts'
import { copyOfReal } from '../support/data/killbill/recorded-database.ts'
import { recordedSample } from '../support/data/recorded-sample.ts'
import { passwordStatement } from '../support/databases/restricted-role.ts'
import { describeTargets } from '../support/databases/targets.ts'
import type { TestDatabase } from '../support/databases/test-database.ts'
import { DEMO_PICTURE, pictureOf } from '../support/product/demo-picture.ts'
import { type Block, blocksOf, isAsShown, shownIn } from '../support/product/documented-blocks.ts'
import { type DocumentedSession, startSession } from './documented-session.ts'

const GUIDES = [
  'README.md',
  ...readdirSync(join(packageRoot(), 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]

/** Blocks that say `not-run`, so that none hides: installation, and what needs a server of the reader's own. */
const NOT_RUN: Readonly<Record<string, number>> = {
  'README.md': 1,
  'docs/authentication.md': 1,
  'docs/billing-health.md': 3,
  'docs/briefings.md': 2,
  'docs/sharing.md': 1,
  'docs/cache.md': 1,
  'docs/cli.md': 2,
  'docs/client.md': 1,
  'docs/deliveries.md': 1,
  'docs/grafana.md': 2,
  'docs/lago.md': 3,
  'docs/lake.md': 1,
  'docs/ledger.md': 3,
  'docs/service.md': 1,
  'docs/stripe.md': 3,
}

const GUIDE_OF_SERVERS = 'docs/own-replica.md'

const sessionsOf = (guide: string) => blocksOf(guide).filter(({ language, isRun }) => language === 'console' && isRun)

async function follow(block: Block, session: DocumentedSession, seen = (text: string) => text): Promise<void> {
  for (const shown of shownIn(block)) {
    const output = seen(await session.run(shown))
    if (!isAsShown(shown.output, output, session.ids)) expect(output, shown.command).toBe(shown.output)
  }
}

/** Commands and long options that a command's help lists. */
async function helpOf(session: DocumentedSession, command: string): Promise<string[]> {
  const help = await session.run({ command: `plumbline ${command}--help`, output: '' })
  // The help without a command has its commands in groups between its usage and its options.
  const [options = '', commands = ''] =
    command === '' ? ['', /USAGE([\s\S]*)OPTIONS OF EVERY COMMAND/.exec(help)?.[1]] : help.split('COMMANDS\n')
  const listed = [...options.matchAll(/^ +.*?(--[\w-]+)/gm), ...commands.matchAll(/^ +([\w-]+) {2,}/gm)]
  return listed.map(([, name = '']) => name).filter((name) => !name.startsWith('--') || command !== '')
}

describe('commands of the guides print what is shown', () => {
  let data: SampleData
  let session: DocumentedSession
  beforeAll(async () => {
    data = await recordedSample()
    session = await startSession({
      PLUMBLINE_DATABASE_URL: data.databaseUrl,
      PLUMBLINE_CONNECTOR_TENANT: data.tenant,
      PLUMBLINE_STORE_URL: data.storeUrl,
      PLUMBLINE_NOW: data.now,
      // The output is the same with a cache, and filling one costs more than all these commands.
      PLUMBLINE_CACHE_MODE: 'off',
    })
  })
  afterAll(async () => {
    await session?.close()
    await data?.dispose()
  })

  for (const guide of GUIDES.filter((name) => name !== GUIDE_OF_SERVERS)) {
    for (const block of sessionsOf(guide)) it(`${guide}, line ${block.line}`, () => follow(block, session))
  }

  it('README.md shows what the demo prints, on one page', async () => {
    const stdout = await session.run({ command: 'npm run demo', output: '' })
    expect(readFileSync(join(packageRoot(), DEMO_PICTURE), 'utf8')).toBe(pictureOf(stdout))
    const readme = readFileSync(join(packageRoot(), 'README.md'), 'utf8')
    expect(readme).toContain(`](${DEMO_PICTURE})`)
    expect(readme.split(/\s+/).length).toBeLessThan(900)
  })

  it('/docs opens with three calls that answer', async () => {
    const ask = (command: string) => session.run({ command, output: '' })
    const { info } = JSON.parse(await ask('curl http://127.0.0.1:8000/openapi.json')) as { info: { description: string } }
    const [, block = ''] = /^```sh\n([\s\S]*?)^```$/m.exec(info.description) ?? []
    const calls = block.split(/\n\n|^#.*\n/m).filter((text) => text.startsWith('curl '))
    const answers: unknown[] = []
    for (const call of calls) answers.push(JSON.parse(await ask(call.replaceAll(/\\\n\s*/g, ''))))
    const [mrr, breakdown, plans] = answers
    expect(answers).toHaveLength(3)
    expect(block).toContain(`The demo's ${mrr} is 51,148.37 USD`)
    expect(breakdown).toMatchObject(
      ['new', 'expansion', 'contraction', 'churn', 'reactivation'].map((type) => ({
        movement_type: type,
        amount_base: expect.any(Number),
      })),
    )
    expect(plans).toMatchObject([1, 2, 3].map(() => ({ plan_id: expect.any(String), mrr: expect.any(Number) })))
  })

  it('docs/configuration.md has every setting of the starter file', async () => {
    await session.run({ command: 'plumbline init --full', output: '' })
    const file = await session.run({ command: 'cat plumbline.toml', output: '' })
    const guide = readFileSync(join(packageRoot(), 'docs', 'configuration.md'), 'utf8')
    const rows = new Map([...guide.matchAll(/^\| `(\w+)` \| (.*) \|$/gm)].map(([, section = '', keys = '']) => [section, keys]))
    const settings = file
      .split(/^# ?\[|^\[/m)
      .slice(1)
      .flatMap((part) => {
        const section = part.slice(0, part.indexOf(']'))
        return [...part.matchAll(/^# ?(\w+) = /gm)].map(([, key = '']) => ({ section, key }))
      })
    // They are read and refused: what they are about is not built yet.
    const offered = settings.filter(({ section }) => section !== 'auth')
    expect(offered.filter(({ section, key }) => rows.get(section)?.includes(`\`${key}\``) !== true)).toEqual([])
    expect(offered.length).toBeGreaterThan(30)
  })

  it('docs/http-api.md has every path, error code, command and option', async () => {
    const contract = readFileSync(join(packageRoot(), 'docs', 'http-api.md'), 'utf8')
    const body = await session.run({ command: 'curl http://127.0.0.1:8000/openapi.json', output: '' })
    const { paths } = JSON.parse(body) as { paths: Readonly<Record<string, unknown>> }
    const short = Object.keys(paths).map((path) => path.replace(/^\/api\/metrics(?=\/[^{])/, '').replace(/^\/docs\/.+/, '/docs'))
    expect(short.filter((path) => !contract.includes(`\`${path}`) && !contract.includes(` ${path}\``))).toEqual([])
    expect(Object.keys(paths).length).toBeGreaterThan(30)
    // Without authentication nobody is unauthorized.
    const codes = Object.keys(ERROR_CODES).filter((code) => code !== 'unauthorized')
    expect(codes.filter((code) => !contract.includes(`\`${code}\``))).toEqual([])
    const [, commands = ''] = contract.split('## 13. ')
    const names = await helpOf(session, '')
    for (const name of [...names]) names.push(...(await helpOf(session, `${name} `)))
    expect(names.filter((name) => !new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(commands))).toEqual([])
    expect(names.length).toBeGreaterThan(20)
  })
})

describeTargets(
  `commands of ${GUIDE_OF_SERVERS}`,
  (target) => {
    const role = `pl_guide_${randomBytes(4).toString('hex')}`
    const password = randomBytes(8).toString('hex')
    let database: TestDatabase
    let session: DocumentedSession
    beforeAll(async () => {
      database = await copyOfReal(target)
      const url = new URL(database.url)
      const [grants] = blocksOf(GUIDE_OF_SERVERS).filter(({ language, isRun }) => language === 'sql' && isRun)
      const own = (grants?.text ?? '')
        .replaceAll('plumbline_reader', role)
        .replaceAll('database killbill', `database ${url.pathname.slice(1)}`)
        .replace(/^\\password .*$/m, passwordStatement('postgres', role, password))
      await database.adminQuery(own)
      Object.assign(url, { username: role, password })
      session = await startSession({
        PLUMBLINE_DATABASE_URL: url.href,
        PLUMBLINE_CONNECTOR_TENANT: 'alpha',
        PLUMBLINE_DEFINITIONS_BASE_CURRENCY: 'USD',
        PLUMBLINE_NOW: '2026-11-20T23:59:59Z',
      })
    })
    afterAll(async () => {
      await session?.close()
      await database.adminQuery(`drop owned by ${role}`)
      await database.adminQuery(`drop role ${role}`)
    })

    for (const block of sessionsOf(GUIDE_OF_SERVERS)) {
      const seen = (text: string) =>
        text.replace(
          /PostgreSQL [\d.]+( at \S+ port \d+)?/,
          (_, place) => `PostgreSQL 15.20${place === undefined ? '' : ' at 127.0.0.1 port 5432'}`,
        )
      it(`line ${block.line}`, () => follow(block, session, seen))
    }
  },
  { only: ['postgres'] },
)

describe('every other block of the guides', () => {
  it('is a configuration that can be used, or says that it is not run', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'plumbline-guide-'))
    try {
      for (const block of GUIDES.flatMap(blocksOf).filter(({ language }) => language === 'toml')) {
        await writeFile(join(folder, 'plumbline.toml'), block.text)
        expect(loadConfig({ environment: {}, cwd: folder, home: undefined }).database.url).toMatch(/^(postgres|trino):/)
      }
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('says so where it is not run', () => {
    const hidden = GUIDES.map((guide) => [guide, blocksOf(guide).filter(({ isRun }) => !isRun).length] as const)
    expect(Object.fromEntries(hidden.filter(([, count]) => count > 0))).toEqual(NOT_RUN)
    const others = GUIDES.filter((guide) =>
      blocksOf(guide).some(({ language, isRun }) => isRun && !['console', 'toml', 'text'].includes(language)),
    )
    // SQL and TypeScript in a guide are read by a test that names the guide.
    const tests = sourceFiles('test', ['.test.ts']).filter(({ path }) => !path.endsWith('documented-commands.test.ts'))
    expect(others.filter((guide) => !tests.some(({ text }) => text.includes(basename(guide))))).toEqual([])
    expect(others.length).toBeGreaterThan(0)
    expect(GUIDES.flatMap(blocksOf).filter(({ language, text }) => language === 'text' && /^\$ /m.test(text))).toEqual([])
  })
})
