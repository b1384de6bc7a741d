import { access, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createProduct } from '../../src/app/bin/product.ts'
import { packageRoot } from '../../src/core/package-root.ts'
import { runCli } from '../../src/facades/cli/main.ts'
import type { OpenProduct, RunningService } from '../../src/facades/cli/product.ts'
import { type Ids, type Shown, withIds, wordsOf } from '../support/product/documented-blocks.ts'

/** Somebody at a terminal who follows a guide from its beginning. */
export interface DocumentedSession {
  readonly ids: Ids
  /** The output of the command; if there is none, its messages. */
  run(shown: Shown): Promise<string>
  close(): Promise<void>
}

/** Address that guides name. */
const SHOWN_URL = 'http://127.0.0.1:8000'

/** A session in its own directory. Commands run in this process, on one engine. The service has its own port. */
export async function startSession(environment: Readonly<Record<string, string>>): Promise<DocumentedSession> {
  const cwd = await mkdtemp(join(tmpdir(), 'plumbline-guide-'))
  // Every file that a guide names is one of the examples.
  await cp(join(packageRoot(), 'examples'), cwd, { recursive: true })
  // The guides show a terminal.
  const settings = { PLUMBLINE_SERVER_PORT: '0', PLUMBLINE_LOG_LEVEL: 'error', PLUMBLINE_LOG_FORMAT: 'text', ...environment }
  const real = createProduct({ environment: settings, cwd, home: undefined })
  const ids: Ids = new Map()
  const stop = new AbortController()
  const running: Promise<unknown>[] = []
  let opened: Promise<OpenProduct> | undefined
  let service: Promise<RunningService> | undefined
  const open = () => (opened ??= real.open({}))
  const serve = () => (service ??= open().then((product) => product.serve()))
  const shared = async () => ({ ...(await open()), serve, close: async () => {} })
  const product = { ...real, open: shared, openDemo: shared }
  const plumbline = async (argv: readonly string[]): Promise<string> => {
    const printed = { stdout: '', stderr: '' }
    const write = (name: keyof typeof printed) => ({ write: (text: string) => (printed[name] += text) })
    const inPlace = argv.map((word) => (/^\w+\.(?:json|csv|xlsx)$/.test(word) ? join(cwd, word) : word))
    const code = runCli(inPlace, { stdout: write('stdout'), stderr: write('stderr'), stop: stop.signal }, product)
    // A service keeps running during the commands that follow.
    if (argv[0] === 'serve' && !argv.includes('--help')) {
      running.push(code)
      while (!printed.stderr.includes('Ctrl-C')) await new Promise((resolve) => setTimeout(resolve, 10))
    } else await code
    const text = printed.stdout === '' ? printed.stderr : printed.stdout
    return text.replaceAll((await service)?.url ?? SHOWN_URL, SHOWN_URL)
  }
  const programs: Readonly<Record<string, (words: readonly string[], shown: Shown) => Promise<string>>> = {
    plumbline: (words) => plumbline(words),
    curl: async (words) => curl(words, (await serve()).url),
    npm: ([command, script, ...rest]) => {
      if (command !== 'run' || script !== 'demo') throw new Error(`npm ${command} ${script} is not for a test`)
      return plumbline(['demo', '--once', ...rest])
    },
    head: async ([lines, name = '']) => (await readFile(join(cwd, name), 'utf8')).split('\n').slice(0, -Number(lines)).join('\n'),
    // A file that is shown is one that the reader writes.
    cat: async ([name = ''], { output }) => {
      const path = join(cwd, name)
      const exists = await access(path).then(
        () => true,
        () => false,
      )
      if (!exists) await writeFile(path, output)
      return readFile(path, 'utf8')
    },
  }
  return {
    ids,
    run(shown) {
      const command = withIds(shown.command, ids).replaceAll('$DATABASE_URL', environment['PLUMBLINE_DATABASE_URL'] ?? '')
      const [program = '', ...words] = wordsOf(command)
      const known = programs[program]
      if (known === undefined) throw new Error(`"${program}" is not a program of the guides`)
      return known(words, shown)
    },
    async close() {
      stop.abort()
      await Promise.all(running)
      if (running.length === 0) await (await service)?.stop()
      await (await opened)?.close()
      await rm(cwd, { recursive: true, force: true })
    },
  }
}

/** Sends what curl would send and gives the body. */
async function curl(words: readonly string[], url: string): Promise<string> {
  const options: Record<string, string> = {}
  const addresses: string[] = []
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? ''
    if (word.startsWith('-')) options[word] = words[++index] ?? ''
    else addresses.push(word)
  }
  const [address] = addresses
  if (address === undefined || !address.startsWith(SHOWN_URL)) throw new Error(`curl of another address: ${words.join(' ')}`)
  const [name = '', value = ''] = (options['-H'] ?? '').split(': ')
  const response = await fetch(address.replace(SHOWN_URL, url), {
    method: options['-X'] ?? 'GET',
    ...(name === '' ? {} : { headers: { [name]: value } }),
    ...(options['-d'] === undefined ? {} : { body: options['-d'] }),
  })
  return response.text()
}
