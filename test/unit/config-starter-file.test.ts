import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'smol-toml'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { BUILT_IN_CONNECTORS } from '../../src/app/built-in.ts'
import { loadConfig, starterFile } from '../../src/app/config/config.ts'
import { settingsOf } from '../../src/app/config/settings.ts'

let directory: string

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'plumbline-starter-'))
})

afterEach(() => rmSync(directory, { recursive: true, force: true }))

/** All settings except those of connectors that the file does not name. */
const SETTINGS = settingsOf(BUILT_IN_CONNECTORS.slice(0, 1))

const URL = 'postgres://u@db/kb'
const SETTING_LINE = /^# ([a-z_]+ = .+)$/

describe('the starter file', () => {
  it('changes nothing until it is edited', () => {
    const inputs = { environment: { PLUMBLINE_DATABASE_URL: URL }, cwd: directory, home: undefined }
    const before = loadConfig(inputs)
    writeFileSync(join(directory, 'plumbline.toml'), starterFile())
    expect(loadConfig(inputs)).toEqual({ ...before, file: join(directory, 'plumbline.toml') })
  })

  it('shows every setting with its default, its meaning and its variable', () => {
    const lines = starterFile().split('\n')
    const uncommented = parse(lines.map((line) => line.replace(SETTING_LINE, '$1')).join('\n'))
    const shown = Object.entries(uncommented).flatMap(([section, keys]) =>
      Object.entries(keys).map(([key, value]) => [`${section}.${key}`, value]),
    )
    expect(shown.map(([name]) => name)).toEqual(SETTINGS.map((setting) => setting.name))
    for (const setting of SETTINGS.filter((each) => each.preset !== undefined)) {
      expect(shown).toContainEqual([setting.name, setting.preset])
    }
    for (const setting of SETTINGS) {
      expect(setting.description).not.toBe('')
      expect(lines.some((line) => line.includes(setting.description) && line.endsWith(` ${setting.environment}`))).toBe(true)
    }
  })

  it('is a valid configuration when every line with a default or an example is taken', () => {
    // Several databases take the place of the schema in the address and of the settings of the connector.
    const text = starterFile()
      .split('\n')
      .map((line) => (line.startsWith('# databases = ') ? line : line.replace(SETTING_LINE, '$1')))
    writeFileSync(join(directory, 'plumbline.toml'), text.join('\n'))
    const config = loadConfig({ environment: {}, cwd: directory, home: undefined })
    expect(config).toMatchObject({ connector: { tenant: ['acme'] }, clock: { now: new Date('2025-03-31T12:00:00Z') } })
  })

  it.each([true, false])('has the settings of the connector that it names, full: %s', (full) => {
    const values = { 'connector.type': 'lago', 'connector.organization': 'North Ltd', 'database.url': URL }
    const text = starterFile([], { values, full })
    expect(parse(text)).toMatchObject({ connector: { type: 'lago', organization: 'North Ltd' }, database: { url: URL } })
    expect(text).not.toContain('# tenant =')
  })
})
