import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createProduct } from '../../src/bin/product.ts'
import { packageRoot } from '../../src/core/package-root.ts'
import { startProduct } from '../support/product-process.ts'
import { runProduct } from './run-product.ts'

describe('the demo', () => {
  it('its store comes with rates, two attributes and two segments; neither file nor environment reaches it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'plumbline-demo-test-'))
    const environment = { PLUMBLINE_STORE_URL: 'none' }
    await writeFile(join(folder, 'plumbline.toml'), '[database]\nurl = "postgres://127.0.0.1:1/none"\n')
    const { engine, close } = await createProduct({ environment, cwd: folder, home: undefined }).openDemo({})
    try {
      const stored = (await engine.attributes.list()).filter(({ source }) => source === 'csv').map(({ key }) => key)
      expect(stored).toEqual(['channel', 'satisfaction'])
      const segments = await engine.segments.list()
      expect(segments.map(({ name }) => name).sort()).toEqual(['Partners', 'Unhappy'])
      for (const { id, warnings } of segments) {
        expect(warnings).toEqual([])
        expect((await engine.query('mrr', {}, { segment: id })).data).toBeGreaterThan(0)
      }
      expect(await engine.rates.list({ latest: 'true' })).toMatchObject([{ from: 'EUR' }, { from: 'GBP' }, { from: 'JPY' }])
      expect(await runProduct(folder, ['mrr', '--demo'], environment)).toMatchObject({ code: 0, stdout: '51,148.37 USD\n' })
    } finally {
      await close()
      await rm(folder, { recursive: true })
    }
  })

  it('npm run demo goes on serving on a terminal, says where, and ends there with Ctrl-C', async () => {
    const manifest = JSON.parse(await readFile(join(packageRoot(), 'package.json'), 'utf8')) as { scripts: { demo: string } }
    expect(manifest.scripts.demo).toBe('tsx src/bin/cli.ts demo --interactive')
    // exec: a shell between the two would answer 130 for the Ctrl-C that reaches it too.
    const command = `exec "${process.execPath}" --import tsx src/bin/cli.ts demo --interactive --port 0`
    const terminal = spawn('script', ['-qec', command, '/dev/null'], { cwd: packageRoot(), stdio: 'pipe' })
    let seen = ''
    let hasPressed = false
    terminal.stdout.on('data', (chunk) => {
      seen += chunk
      if (hasPressed || !seen.includes('Ctrl-C')) return
      hasPressed = true
      terminal.stdin.write('\u0003')
    })
    const [code] = await once(terminal, 'close')
    expect(seen).toContain('MRR on 2026-11-20: 51,148.37 USD')
    expect(seen).toMatch(/Plumbline answers at http:\/\/127\.0\.0\.1:\d+/)
    expect(seen).toContain('Stopping')
    expect(code).toBe(0)
  })

  it('and ends by itself without one', async () => {
    const piped = await startProduct('cli', ['demo', '--interactive'])
    expect(await piped.exit).toBe(0)
    expect(piped.output.stdout).toContain('MRR on 2026-11-20: 51,148.37 USD')
    expect(piped.output.stderr).not.toContain('answers at')
  })
})

describe('a process without a configuration', () => {
  it('says where it looked and what to run', async () => {
    const started = await startProduct('cli', ['mrr'])
    expect(await started.exit).toBe(2)
    expect(started.output.stdout).toBe('')
    expect(started.output.stderr).toContain(`there is no plumbline.toml in ${tmpdir()}, /;`)
    expect(started.output.stderr).toContain('`plumbline init postgres://')
  })
})
