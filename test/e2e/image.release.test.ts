import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packageRoot } from '../../src/core/package-root.ts'
import { freePort } from '../support/databases/servers/start-server.ts'
import { seenInErrors } from '../support/product/product-process.ts'
import { type ImageLayout, openDockerfile } from './image/image-layout.ts'
import { environmentOf, inLayout, performHere } from './image/perform-stages.ts'

describe('the image', () => {
  let workplace: string
  let make: Awaited<ReturnType<typeof openDockerfile>>
  let demo: ImageLayout
  let port: number
  let service: ChildProcess

  beforeAll(async () => {
    workplace = await mkdtemp(join(tmpdir(), 'plumbline-image-'))
    make = await openDockerfile({ context: packageRoot(), workplace, perform: performHere })
    demo = await make('demo')
    port = await freePort()
    const [, ...program] = demo.entrypoint.map((word) => inLayout(word, demo.root))
    service = spawn(process.execPath, [...program, ...demo.command, '--port', String(port)], {
      cwd: join(demo.root, demo.directory),
      env: environmentOf(demo),
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const output = { stdout: '', stderr: '' }
    service.stderr?.on('data', (chunk) => (output.stderr += chunk))
    await seenInErrors({ child: service, output }, /running at (\S+);/)
  })
  afterAll(async () => {
    if (service?.exitCode === null) {
      const ended = once(service, 'close')
      service.kill('SIGTERM')
      await ended
    }
    await rm(workplace, { recursive: true, force: true })
  })

  const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`)
  const health = async (given: Record<string, string>) => {
    const [, ...words] = demo.healthcheck.map((word) => inLayout(word, demo.root))
    const env = { ...environmentOf(demo), ...given }
    const checked = promisify(execFile)(process.execPath, words, { env, cwd: join(demo.root, demo.directory) })
    return checked.then(
      () => 0,
      (error: { readonly code: number }) => error.code,
    )
  }

  it('answers on the sample data, with its pages, from nothing but what it copied', async () => {
    expect(await (await ask('/api/metrics/mrr')).json()).toBe(5_114_837)
    for (const file of ['swagger-ui-bundle.js', 'swagger-ui.css', 'redoc.standalone.js'])
      expect((await ask(`/docs/assets/${file}`)).status, file).toBe(200)
    const links = existsSync(join(demo.root, 'app', 'node_modules', 'pg'))
    const development = ['vitest', 'typescript', 'redoc', 'swagger-ui-dist'].filter((name) =>
      existsSync(join(demo.root, 'app', 'node_modules', name)),
    )
    expect([links, development]).toEqual([true, []])
  })

  it('is healthy where the configuration says that it listens, by variable and by file', async () => {
    expect(await health({ PLUMBLINE_SERVER_PORT: String(port) })).toBe(0)
    expect(await health({ PLUMBLINE_SERVER_PORT: String(await freePort()) })).toBe(1)
    await writeFile(join(demo.root, demo.directory, 'plumbline.toml'), `[server]\nport = ${port}\n`)
    expect(await health({})).toBe(0)
  })

  it('serves as a user that is not root, from a volume, on the port that it exposes', async () => {
    const { user, directory, volumes, ports, command, environment } = await make()
    expect({ user, directory, volumes, ports, command }).toEqual({
      user: expect.stringMatching(/^[1-9]\d*:[1-9]\d*$/),
      directory: '/data',
      volumes: ['/data'],
      ports: ['8000'],
      command: ['serve'],
    })
    expect(environment).toEqual({ NODE_ENV: 'production', PLUMBLINE_SERVER_HOST: '0.0.0.0' })
  })

  it('contains one Node that the package supports', async () => {
    const text = await readFile(join(packageRoot(), 'Dockerfile'), 'utf8')
    const bases = new Set([...text.matchAll(/^FROM (node:\S+)/gm)].map(([, base]) => base))
    expect([...bases]).toEqual([demo.base])
    expect(demo.base).toMatch(/@sha256:[0-9a-f]{64}$/)
    const { engines } = JSON.parse(await readFile(join(packageRoot(), 'package.json'), 'utf8'))
    const least = Number(/^>=(\d+)/.exec(engines.node)?.[1])
    const major = Number(/^node:(\d+)\.\d+\.\d+-/.exec(demo.base)?.[1])
    // Odd numbers are never supported for long.
    expect([major > least, major % 2]).toEqual([true, 0])
  })
})

describe('a build that cannot be right is refused', () => {
  let context: string
  beforeAll(async () => {
    context = await mkdtemp(join(tmpdir(), 'plumbline-context-'))
    await writeFile(join(context, '.dockerignore'), 'dist\n')
    await mkdir(join(context, 'dist'))
    await symlink('dist', join(context, 'build'))
  })
  afterAll(() => rm(context, { recursive: true }))

  it.each([
    ['COPY gone ./', 'there is no gone'],
    ['COPY dist ./dist', '.dockerignore keeps dist out'],
    ['RUN apt-get update', 'the layout cannot do "apt-get update"'],
    ['ADD x y', 'ADD is not followed here'],
    ['CMD node cli.js', 'is not in JSON form'],
    ['COPY --from=builder x y', 'has no stage builder'],
  ])('%s', async (step, reason) => {
    await writeFile(join(context, 'Dockerfile'), `FROM node:26.10.0\nWORKDIR /app\n${step}\n`)
    const make = await openDockerfile({ context, workplace: join(context, 'made'), perform: performHere })
    await expect(make()).rejects.toThrow(reason)
  })
})
