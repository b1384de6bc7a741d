import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeOutline } from '../../src/app/bin/outline.ts'
import type { SampleData } from '../../src/app/demo/sample-data.ts'
import { packageRoot } from '../../src/core/package-root.ts'
import { readCommandLine } from '../../src/facades/cli/args.ts'
import { runProduct } from '../cli/run-product.ts'
import { recordedSample } from '../support/data/recorded-sample.ts'
import { isInTurn } from '../support/databases/rotation.ts'
import { productCommand } from '../support/product/product-command.ts'
import { startProduct } from '../support/product/product-process.ts'

const GUIDE = readFileSync(join(packageRoot(), 'docs', 'mcp.md'), 'utf8')
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '0' } },
}
const messages = (...given: readonly object[]) => given.map((message) => `${JSON.stringify(message)}\n`).join('')
const called = (id: number, name: string, given: object = {}) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: given },
})

/** The same by a client that says in each message what it is, in place of `initialize`. */
const described = (message: ReturnType<typeof called>) => {
  const own = 'io.modelcontextprotocol'
  const client = { [`${own}/protocolVersion`]: '2026-07-28', [`${own}/clientCapabilities`]: {} }
  return { ...message, params: { ...message.params, _meta: client } }
}

/** The blocks of a language in the guide. */
const blocksOf = (language: string) =>
  [...GUIDE.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, block = '']) => block)

let sample: SampleData
/** The environment of a process that answers over the recording. */
let environment: Record<string, string>
beforeAll(async () => {
  sample = await recordedSample()
  environment = {
    PLUMBLINE_DATABASE_URL: sample.databaseUrl,
    PLUMBLINE_CONNECTOR_TENANT: sample.tenant,
    PLUMBLINE_DEFINITIONS_BASE_CURRENCY: 'USD',
    PLUMBLINE_NOW: sample.now,
    PLUMBLINE_STORE_URL: sample.storeUrl,
  }
})
afterAll(() => sample.dispose())

it('what the guide has assistants start is a command line, and what it has them ask is the path', async () => {
  const [local, remote, ...others] = blocksOf('json').map((block) => JSON.parse(block).mcpServers.plumbline)
  expect(others).toEqual([])
  const { command, args } = local
  expect(command).toBe('plumbline')
  const outline = await makeOutline()
  for (const line of [args, ['--demo', 'mcp']])
    expect(readCommandLine(line, outline)).toMatchObject({ kind: 'run', command: { name: 'mcp' } })
  expect(new URL(remote.url).pathname).toBe('/mcp')
  expect(remote.headers.Authorization).toMatch(/^Bearer pl_/)
})

it('a client starts the process, asks it and ends it', async () => {
  const env = { PATH: '', HOME: tmpdir(), ...environment }
  const args = [...(await productCommand('cli')), 'mcp']
  const client = new Client({ name: 'test', version: '0' })
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, cwd: tmpdir(), stderr: 'ignore' }))
  const ask = async (name: string, given: Record<string, unknown> = {}) => {
    const { content, isError } = await client.callTool({ name, arguments: given })
    return { isError: isError === true, text: (content as { text: string }[])[0]?.text ?? '' }
  }
  expect(client.getServerVersion()).toMatchObject({ name: 'plumbline', version: '0.1.0' })
  expect((await client.listTools()).tools).toHaveLength(21)
  const shown = await ask('query_metric', { metric: 'mrr', at: '2026-10-31' })
  expect(shown).toEqual({ isError: false, text: blocksOf('text')[0]?.trimEnd() })
  expect(shown.text).toContain('\nmrr: 48518.82\n')
  expect(await ask('query_metric', { metric: 'mrr', at: 'never' })).toMatchObject({ isError: true })
  expect((await ask('list_customers', { limit: 1 })).text).toContain('Rows 1 to 1 shown of ')
  expect((await ask('list_segments')).text).toMatch(/Partners \| [\s\S]*2 rows in all\.$/)
  await client.close()
})

it('writes nothing but the protocol to standard output, answers what came before the end of input, and ends', async () => {
  const { child, output, exit } = await startProduct('cli', ['mcp'], environment)
  const arguments_ = { metric: 'mrr', at: '2026-10-31', dimensions: ['currency'] }
  child.stdin?.end(`${messages(INITIALIZE)}no message\n{"a":1}\n${messages(called(2, 'query_metric', arguments_))}`)
  expect(await exit).toBe(0)
  const replies = output.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(replies.map(({ id }) => id)).toEqual([1, 2])
  expect(replies[1].result.content[0].text).toMatch(/currency \| mrr\nEUR \| \d+\.\d\d\n/)
  expect(output.stderr).toContain('error: ')
})

const asked = [called(2, 'query_metric', { metric: 'mrr' }), called(3, 'list_metrics')]
const clients: readonly (readonly [string, readonly object[]])[] = [
  ['begins with initialize', [INITIALIZE, ...asked]],
  ['describes itself', asked.map(described)],
]
it.each(clients.filter((_, index) => isInTurn(index + 1, clients.length)))(
  'says what keeps it from answering a client that %s, and ends when told',
  async (_which, sent) => {
    const nowhere = { PLUMBLINE_DATABASE_URL: 'postgres://127.0.0.1:1/none', PLUMBLINE_STORE_URL: 'none' }
    const { child, output, exit } = await startProduct('cli', ['mcp'], nowhere)
    child.stdin?.write(messages(...sent))
    await new Promise<void>((resolve) => {
      child.stdout?.on('data', () => (output.stdout.split('\n').length > sent.length ? resolve() : undefined))
    })
    const replies = new Map(
      output.stdout
        .trimEnd()
        .split('\n')
        .map((line) => [JSON.parse(line).id, JSON.parse(line)]),
    )
    expect(replies.get(2)?.result).toMatchObject({ isError: true })
    expect(replies.get(2)?.result.content[0].text).toMatch(/^Refused \(connector_unavailable\): [\s\S]*Retry in a few seconds\.$/)
    expect(replies.get(3)?.result.content[0].text).toContain('mrr: ')
    child.kill('SIGTERM')
    expect(await exit).toBe(0)
  },
)

it('takes no configuration that does not fit', async () => {
  expect(await runProduct(tmpdir(), ['mcp', '--config', '/nowhere.toml'])).toMatchObject({ code: 2, stdout: '' })
})
