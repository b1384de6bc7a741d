import { describe, expect, it } from 'vitest'
import { configSchema } from '../../src/app/config/sections.ts'
import type { DatabaseConnector } from '../../src/connector-kit/connector.ts'
import { workspaceOf } from '../../src/execution/session/session.ts'

const ids = [1, 2, 3].map((number) => `0000000${number}-0000-4000-8000-000000000000`)
const connector = (servesAllSources: boolean) => ({ type: 'killbill', servesAllSources }) as DatabaseConnector
const nameOf = (servesAllSources: boolean, source_ids: readonly string[], workspace?: string) =>
  workspaceOf(
    { workspace, connector: connector(servesAllSources) },
    source_ids.map((source_id) => ({ source_id, external_key: null, name: source_id })),
  ).name

describe('the workspace that follows from the sources', () => {
  it('is named after the only one', () => {
    expect(nameOf(false, ids.slice(0, 1))).toBe(`killbill:${ids[0]}`)
  })

  it('is the same in whatever order several are chosen, and another for each choice', () => {
    expect(nameOf(false, ids)).toBe(nameOf(false, ids.toReversed()))
    const choices = [ids, ids.slice(0, 2), ids.slice(1), ids.slice(0, 1)]
    expect(new Set(choices.map((choice) => nameOf(false, choice))).size).toBe(choices.length)
  })

  it('stays when all are served and one comes, apart from that of the oldest alone', () => {
    expect(nameOf(true, ids)).toBe(nameOf(true, ids.slice(0, 1)))
    expect(nameOf(true, ids)).not.toBe(nameOf(false, ids.slice(0, 1)))
  })

  it('can be configured under the name it has', () => {
    const names = [nameOf(false, ids.slice(0, 1)), nameOf(false, ids), nameOf(true, ids), nameOf(false, ['x'.repeat(200)])]
    for (const name of names) expect(configSchema.shape.store.parse({ workspace: name }).workspace).toBe(name)
    expect(nameOf(true, ids, 'acme')).toBe('acme')
  })
})
