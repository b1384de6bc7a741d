import type { ConnectorDefinition } from '../../connector-kit/definition.ts'
import type { Given } from './given.ts'

/** What is wrong with the settings of a connector: keys of another one, and values that its schema refuses. */
export interface SectionProblem {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

/** The section as the schema of its connector reads it. A connector that is not known yet keeps what was given. */
export function readConnector(
  type: string,
  given: ReadonlyMap<string, Given>,
  connectors: readonly ConnectorDefinition[],
): { readonly section: Readonly<Record<string, unknown>>; readonly problems: readonly SectionProblem[] } {
  const values = Object.fromEntries(
    [...given].flatMap(([name, { value }]) => {
      const [section, key = ''] = name.split('.')
      return section === 'connector' && key !== 'type' ? [[key, value] as const] : []
    }),
  )
  const settings = connectors.find((connector) => connector.type === type)?.settings
  if (settings === undefined) return { section: values, problems: [] }
  const foreign = Object.keys(values).filter((key) => !Object.hasOwn(settings.shape, key))
  const parsed = settings.safeParse(values)
  return {
    section: parsed.success ? parsed.data : {},
    problems: [
      ...foreign.map((key) => problem(['connector', key], `the connector "${type}" has no such setting`)),
      ...(parsed.error?.issues ?? []).map(({ path, message }) => problem(['connector', ...path], message)),
    ],
  }
}

function problem(path: readonly PropertyKey[], message: string): SectionProblem {
  return { path, message }
}
