import { execFile } from 'node:child_process'
import { access, chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { productCommand } from '../support/product/product-command.ts'

const ASKED = 'plumbline mrr --dimension plan_i'
const FOUND = ['plan_id', 'plan_interval']

/** The script of each shell that completes the words. Widgets that only an interactive zsh has print their arguments. */
const SCRIPTS = {
  bash: `source <(plumbline completion bash)
    COMP_WORDS=(${ASKED}); COMP_CWORD=3; _plumbline; printf '%s\\n' "\${COMPREPLY[@]}"`,
  zsh: `compdef() { :; }
    compadd() { print -l -- "\${@:4}"; }
    _describe() { print -l -- "\${(@)\${(P)2}%%:*}"; }
    source <(plumbline completion zsh)
    words=(${ASKED}); CURRENT=4; _plumbline`,
  fish: `plumbline completion fish | source; complete -C '${ASKED}' | cut -f1`,
} as const

const run = promisify(execFile)

async function placeOf(program: string): Promise<string | undefined> {
  for (const folder of ['/bin', '/usr/bin', '/usr/local/bin', '/opt/homebrew/bin']) {
    const path = join(folder, program)
    if (
      await access(path).then(
        () => true,
        () => false,
      )
    )
      return path
  }
  return undefined
}

describe('completion in the shells of this machine', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plumbline-shells-'))
    const words = [process.execPath, ...(await productCommand('cli'))]
    const program = join(folder, 'plumbline')
    await writeFile(program, `#!/bin/sh\nexec ${words.map((word) => `'${word}'`).join(' ')} "$@"\n`)
    await chmod(program, 0o755)
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  for (const [shell, script] of Object.entries(SCRIPTS)) {
    it(`${shell} offers the dimensions that begin so`, async ({ skip }) => {
      const place = await placeOf(shell)
      if (place === undefined) return skip(`${shell} is not at hand`)
      const environment = { PATH: `${folder}:/usr/bin:/bin`, HOME: folder, TERM: 'dumb' }
      const plain = shell === 'fish' ? ['--no-config'] : shell === 'zsh' ? ['-f'] : ['--norc']
      const { stdout } = await run(place, [...plain, '-c', script], { env: environment })
      expect(stdout.trim().split('\n')).toEqual(FOUND)
    })
  }
})
