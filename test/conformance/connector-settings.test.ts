import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { composeConnector } from '../../src/app/compose.ts'
import { loadConfig, starterFile } from '../../src/app/config/config.ts'
import type { DatabaseConnector } from '../../src/connector-kit/connector.ts'
import { defineConnector, oneOrMore, places } from '../../src/connector-kit/definition.ts'
import { ConfigurationError } from '../../src/core/errors.ts'
import { exampleConnector } from '../support/data/worked-example.ts'

/** A connector that is named after the books it was given. */
const books = defineConnector({
  type: 'books',
  settings: z.object({
    volume: oneOrMore.describe('Volumes to read').meta({ example: ['first'] }),
    shelf: places.optional().describe('Folders of the books'),
    page: z.int().min(1).default(1).describe('Page to begin with'),
  }),
  create: ({ volume, page, shelf = [] }): DatabaseConnector => ({
    ...exampleConnector(),
    type: `books ${volume.join('+')} ${page} ${shelf.join('+')}`,
  }),
})

const BASE = { PLUMBLINE_DATABASE_URL: 'postgres://u@db/kb' }

function load(environment: Readonly<Record<string, string>>, connectors = [books]) {
  return loadConfig({ environment: { ...BASE, ...environment }, cwd: '/here', home: undefined }, connectors)
}

function problemsOf(work: () => unknown): readonly string[] {
  try {
    work()
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems
    throw error
  }
  throw new Error('nothing was wrong')
}

describe('settings of a connector', () => {
  it('are those of its own schema: lists, defaults, numbers and places', () => {
    const environment = {
      PLUMBLINE_CONNECTOR: 'books',
      PLUMBLINE_CONNECTOR_VOLUME: 'one, two',
      PLUMBLINE_CONNECTOR_SHELF: 'oak,https://x.test/pine',
    }
    const config = load(environment)
    expect(config.connector).toEqual({
      type: 'books',
      volume: ['one', 'two'],
      page: 1,
      shelf: ['/here/oak', 'https://x.test/pine'],
    })
    const connector = composeConnector(config, { connectors: [books] })
    expect(connector.type).toBe('books one+two 1 /here/oak+https://x.test/pine')
  })

  it('are judged by the schema of the connector that is named, and no other', () => {
    const environment = { PLUMBLINE_CONNECTOR: 'books', PLUMBLINE_CONNECTOR_PAGE: '0', PLUMBLINE_CONNECTOR_TENANT: 'acme' }
    expect(problemsOf(() => load(environment))).toEqual([
      'connector.tenant (from PLUMBLINE_CONNECTOR_TENANT): the connector "books" has no such setting',
      'connector.volume (or PLUMBLINE_CONNECTOR_VOLUME): must be text or a list of texts',
      expect.stringMatching(/^connector\.page \(from PLUMBLINE_CONNECTOR_PAGE\): /),
    ])
  })

  it('are read from the environment and from options as what their schema says', () => {
    const plain = defineConnector({
      type: 'plain',
      settings: z.object({
        rate: z.number().optional().describe('A rate'),
        since: z.date().optional().describe('A day or an instant'),
        depth: z.number().nullable().optional().describe('A depth, or null'),
        strict: z.boolean().optional().describe('True or false'),
      }),
      create: () => exampleConnector(),
    })
    const given = { RATE: '-0.25', SINCE: '2025-02-03', DEPTH: '7.5', STRICT: 'true' }
    const environment = Object.fromEntries(Object.entries(given).map(([key, text]) => [`PLUMBLINE_CONNECTOR_${key}`, text]))
    const all = { PLUMBLINE_CONNECTOR: 'plain', ...environment }
    const { connector } = load(all, [plain])
    expect(connector).toEqual({ type: 'plain', rate: -0.25, since: new Date('2025-02-03T00:00:00Z'), depth: 7.5, strict: true })
    expect(() => composeConnector(load(all, [plain]), { connectors: [plain] })).not.toThrow()
    expect(load({ ...all, PLUMBLINE_CONNECTOR_SINCE: '2025-02-03T04:05:06+02:00' }, [plain]).connector).toMatchObject({
      since: new Date('2025-02-03T02:05:06Z'),
    })
    const wrong = { ...all, PLUMBLINE_CONNECTOR_RATE: '1e3', PLUMBLINE_CONNECTOR_SINCE: '03.02.2025' }
    expect(problemsOf(() => load(wrong, [plain]))).toEqual([
      expect.stringMatching(/^connector\.rate \(from PLUMBLINE_CONNECTOR_RATE\): /),
      expect.stringMatching(/^connector\.since \(from PLUMBLINE_CONNECTOR_SINCE\): /),
    ])
  })

  it('of one key are read as the connector that is named has it, in any order', () => {
    const numbered = defineConnector({
      type: 'numbered',
      settings: z.object({ page: z.string().describe('Name of a page'), volume: z.int().describe('Number of a volume') }),
      create: () => exampleConnector(),
    })
    const environment = { PLUMBLINE_CONNECTOR_VOLUME: '3', PLUMBLINE_CONNECTOR_PAGE: '4' }
    for (const connectors of [
      [books, numbered],
      [numbered, books],
    ]) {
      expect(load({ ...environment, PLUMBLINE_CONNECTOR: 'numbered' }, connectors).connector).toMatchObject({
        page: '4',
        volume: 3,
      })
      expect(load({ ...environment, PLUMBLINE_CONNECTOR: 'books' }, connectors).connector).toMatchObject({
        page: 4,
        volume: ['3'],
      })
    }
  })

  it('are unknown where the connector is', () => {
    const environment = { PLUMBLINE_CONNECTOR: 'books', PLUMBLINE_CONNECTOR_VOLUME: 'one' }
    expect(problemsOf(() => load(environment, []))).toEqual([
      expect.stringMatching(/^PLUMBLINE_CONNECTOR_VOLUME is not a setting/),
    ])
    const unnamed = load({ PLUMBLINE_CONNECTOR: 'books' }, [])
    expect(problemsOf(() => composeConnector(unnamed))).toEqual([
      'connector.type: there is no connector "books"; available: killbill, lago, stripe',
    ])
    expect(problemsOf(() => composeConnector(unnamed, { connectors: [books] }))).toEqual([
      'connector.volume: must be text or a list of texts',
    ])
  })

  it('are in the starter file', () => {
    const text = starterFile([books])
    expect(text).toContain('# Volumes to read (no default; this is an example). PLUMBLINE_CONNECTOR_VOLUME\n# volume = ["first"]')
    expect(text).toContain('# page = 1')
  })
})
