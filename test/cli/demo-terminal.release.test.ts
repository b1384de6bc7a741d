import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { packageRoot } from '../../src/core/package-root.ts'

it('npm run demo goes on serving on a terminal, says where, and ends there with Ctrl-C', async () => {
  const manifest = JSON.parse(await readFile(join(packageRoot(), 'package.json'), 'utf8')) as { scripts: { demo: string } }
  expect(manifest.scripts.demo).toBe('node --import tsx test/config/demo.ts')
  // exec: a shell between the two would answer 130 for the Ctrl-C that reaches it too.
  const command = `exec "${process.execPath}" --import tsx test/config/demo.ts --port 0`
  const terminal = spawn('script', ['-qec', command, '/dev/null'], { cwd: packageRoot(), stdio: 'pipe' })
  let seen = ''
  let hasPressed = false
  terminal.stdout.on('data', (chunk) => {
    seen += chunk
    if (hasPressed || !/Dashboard: http\S+\s/.test(seen)) return
    hasPressed = true
    terminal.stdin.write('\u0003')
  })
  const [code] = await once(terminal, 'close')
  expect(seen).toContain('MRR on 2026-11-20: 51,148.37 USD')
  expect(seen).toMatch(/Plumbline is running at http:\/\/127\.0\.0\.1:\d+/)
  // The address is alone at the end.
  const told = seen.slice(0, seen.indexOf('Stopping')).replaceAll('\r', '')
  expect(told).toMatch(/Press Ctrl-C to stop\.\n\nDashboard: http:\/\/127\.0\.0\.1:\d+\/\n/)
  expect(told).toMatch(/^Unpacking the sample data and starting its database, which usually takes about \d+ seconds …$/m)
  expect(seen).toContain('Stopping')
  expect(code).toBe(0)
})
