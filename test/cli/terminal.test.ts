import { describe, expect, it } from 'vitest'
import { AppError } from '../../src/core/errors.ts'
import { guardedForTerminal } from '../../src/core/text.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { runCli } from '../../src/facades/cli/main.ts'
import { createLog } from '../../src/facades/http/log.ts'
import { answer, recordingProduct } from './recording-product.ts'

/** Moves the cursor, hides text, sets the title, rings, deletes, and turns the direction: by ESC, C1 and alone. */
const HOSTILE = 'a\u001b[2J\u009b8mb\u001b]0;t\u0007c\rd\u007f\u0085\u202ee\u2066f'
const CONTROLS = /[^\P{Cc}\n\t]|\p{Bidi_Control}/u

async function run(line: string | readonly string[], engine: Partial<Engine>, isTTY: boolean) {
  const printed = { stdout: '', stderr: '' }
  const output = (name: keyof typeof printed) => ({
    write: (content: string | Uint8Array) => (printed[name] += content),
    isTTY,
    columns: isTTY ? 120 : undefined,
  })
  const io = { stdout: output('stdout'), stderr: output('stderr'), stop: new AbortController().signal }
  await runCli(typeof line === 'string' ? line.split(' ') : line, io, recordingProduct([], engine))
  return printed
}

const query = (data: unknown, columns: readonly string[]): Partial<Engine> => ({ query: async () => answer(data, columns) })

describe('control characters in the data do not reach a terminal', () => {
  const rows = query([{ customer_name: HOSTILE, mrr: 1 }], ['customer_name', 'mrr'])

  it('as CSV, which is exact wherever it is no terminal', async () => {
    const shown = (await run('mrr --format csv', rows, true)).stdout
    expect(shown).not.toMatch(CONTROLS)
    expect(shown).toMatch(/^customer_name,mrr\n"?a \[2J/)
    const exact = (await run('mrr --format csv', rows, false)).stdout
    expect(exact).toBe(`customer_name,mrr\r\n"${HOSTILE}",1\r\n`)
  })

  it('as JSON, which stays the same value', async () => {
    const { stdout } = await run('mrr --format json', rows, true)
    expect(stdout).not.toMatch(CONTROLS)
    expect(JSON.parse(stdout)).toEqual([{ customer_name: HOSTILE, mrr: 1 }])
  })

  it('in titles of a table whose columns are groups', async () => {
    const series = ['2025-01-01', '2025-02-01'].flatMap((period) =>
      [HOSTILE, 'other\u001b[31m'].map((customer_name) => ({ period, customer_name, mrr: 1 })),
    )
    const { stdout } = await run('mrr', query(series, ['period', 'customer_name', 'mrr']), true)
    expect(stdout).toMatch(/^period +a .*other/m)
    expect(stdout).not.toMatch(CONTROLS)
  })

  it('in errors, as text and as JSON, and in what is said of a wrong command line', async () => {
    const failing: Partial<Engine> = {
      query: async () => {
        throw new AppError('invalid_value', `no ${HOSTILE}`, { context: { available: [HOSTILE], name: HOSTILE } })
      },
    }
    expect((await run('mrr', failing, true)).stderr).not.toMatch(CONTROLS)
    const json = (await run('mrr --format json', failing, true)).stderr
    expect(json).not.toMatch(CONTROLS)
    expect(JSON.parse(json)).toMatchObject({ detail: `no ${HOSTILE}` })
    const unknown = await run(['mrr', `--${HOSTILE}`, HOSTILE], {}, true)
    expect(unknown.stderr).toMatch(/error/)
    expect(unknown.stderr).not.toMatch(CONTROLS)
    const broken: Partial<Engine> = { query: async () => Promise.reject(new Error(HOSTILE)) }
    expect((await run('mrr', broken, true)).stderr).not.toMatch(CONTROLS)
  })

  it('in lines of the log', () => {
    const lines: string[] = []
    createLog((line) => lines.push(line), { level: 'info', format: 'text' })('info', 'seen', { name: HOSTILE })
    expect(lines.join('\n')).not.toMatch(CONTROLS)
  })

  it('styles and redrawn lines are the only ones that pass', () => {
    const own = '\u001b[31merror:\u001b[39m x\r\u001b[K1,000 rows\n'
    expect(guardedForTerminal(own)).toBe(own)
    expect(guardedForTerminal('\u001b[8mhidden\u001b[1;31m\rover\u001b[2K')).toBe(' [8mhidden [1;31m over [2K')
  })
})
