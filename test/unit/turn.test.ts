import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TURNS, turnOfRun } from '../support/databases/turn.ts'

const COMMITS = 9

describe('the turn of a run', () => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-turn-'))
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...args], { cwd: folder, stdio: 'pipe' })

  beforeAll(() => {
    git('init', '-q', 'whole')
    for (let commit = 0; commit < COMMITS; commit += 1)
      git('-C', 'whole', 'commit', '-q', '--allow-empty', '-m', `commit ${commit}`)
    git('clone', '-q', '--depth', '2', `file://${folder}/whole`, 'shallow')
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  it('is the number of commits modulo 7', () => {
    expect(turnOfRun({}, join(folder, 'whole'))).toEqual({
      turn: COMMITS % TURNS,
      line: 'Turn 2 of 7 (from 9 commits): repeat with TEST_TURN=2',
    })
  })

  it('is 0 where the number of commits is not known', () => {
    expect(turnOfRun({}, join(folder, 'shallow'))).toEqual({
      turn: 0,
      line: 'Turn 0 of 7 (a shallow clone): repeat with TEST_TURN=0',
    })
    expect(turnOfRun({}, folder)).toEqual({
      turn: 0,
      line: 'Turn 0 of 7 (git gives no number of commits): repeat with TEST_TURN=0',
    })
  })

  it('is TEST_TURN if it is set', () => {
    expect(turnOfRun({ TEST_TURN: '6' }, folder)).toEqual({
      turn: 6,
      line: 'Turn 6 of 7 (from TEST_TURN): repeat with TEST_TURN=6',
    })
    expect(turnOfRun({ TEST_TURN: '' }, join(folder, 'whole')).turn).toBe(COMMITS % TURNS)
    for (const wrong of ['7', '-1', '1.5', 'two'])
      expect(() => turnOfRun({ TEST_TURN: wrong }, folder)).toThrow('allowed are 0 to 6')
  })
})
