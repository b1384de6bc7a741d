import * as z from 'zod'
import type { ConnectorDefinition } from '../../connector-kit/definition.ts'
import { sections } from './sections.ts'

type Sections = typeof sections

/** `<section>.<key>` of every setting. Settings of connectors are known only at run time. */
export type SettingName =
  | { [S in keyof Sections & string]: `${S}.${keyof Sections[S]['shape'] & string}` }[keyof Sections & string]
  | `connector.${string}`

/** A setting, described for the environment, the starter file and messages. */
export interface Setting {
  readonly name: string
  readonly section: string
  readonly key: string
  /** Environment variable that sets it. */
  readonly environment: string
  /** How text is read: `list` is comma-separated, `table` is a list of `key=value`. */
  readonly kind: 'table' | 'text' | 'integer' | 'number' | 'boolean' | 'date' | 'list'
  /** The default; undefined if there is none. */
  readonly preset: unknown
  /** A value to show if there is no default. */
  readonly example: unknown
  readonly description: string
  /** True if relative paths start at the folder of the configuration file. */
  readonly isPlace: boolean
}

const ENVIRONMENT_EXCEPTIONS: Readonly<Record<string, string>> = {
  'auth.enabled': 'AUTH_ENABLED',
  'connector.type': 'PLUMBLINE_CONNECTOR',
  'clock.now': 'PLUMBLINE_NOW',
}

/** Every setting in the order of the sections, including those of the connectors. If connectors share a key, the first one defines it. */
export function settingsOf(connectors: readonly ConnectorDefinition[]): readonly Setting[] {
  const all = Object.entries(sections).flatMap(([section, schema]) => [
    ...settingsOfSection(section, schema),
    ...(section === 'connector' ? connectors.flatMap(({ settings }) => settingsOfSection(section, settings)) : []),
  ])
  return all.filter(({ name }, index) => all.findIndex((other) => other.name === name) === index)
}

export const SECTION_NAMES: readonly string[] = Object.keys(sections)

function settingsOfSection(section: string, schema: z.ZodType): readonly Setting[] {
  const { properties } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', override: markDate })
  return Object.entries(properties ?? {}).map(([key, property]) => setting(section, key, z.object({}).loose().parse(property)))
}

function setting(section: string, key: string, property: Readonly<Record<string, unknown>>): Setting {
  const name = `${section}.${key}`
  return {
    name,
    section,
    key,
    environment: ENVIRONMENT_EXCEPTIONS[name] ?? regularVariable(name),
    kind: kindOf(property),
    preset: property['default'],
    example: property['example'],
    description: String(property['description'] ?? ''),
    isPlace: property['isPlace'] === true,
  }
}

/** The environment variable of a setting by the naming rule. Three settings have another name. */
export function regularVariable(name: string): string {
  return `PLUMBLINE_${name.replace('.', '_')}`.toUpperCase()
}

// JSON Schema has no type for dates, so this marks them.
function markDate({
  zodSchema,
  jsonSchema,
}: {
  readonly zodSchema: z.core.$ZodTypes
  readonly jsonSchema: { format?: string }
}): void {
  if (zodSchema._zod.def.type === 'date') jsonSchema.format = DATE
}

const DATE = 'date-object'

// A setting that may be text or a list is read as a list. A nullable setting is read as its type without null.
function kindOf({ type, format, anyOf }: Readonly<Record<string, unknown>>): Setting['kind'] {
  const choices = Array.isArray(anyOf) ? anyOf : Array.isArray(type) ? type.map((each) => ({ type: each })) : undefined
  if (choices !== undefined) {
    const kinds = choices.filter((choice) => choice.type !== 'null').map(kindOf)
    return kinds.includes('list') ? 'list' : (kinds[0] ?? 'text')
  }
  if (type === 'array') return 'list'
  if (type === 'object') return 'table'
  if (format === DATE) return 'date'
  return type === 'integer' || type === 'number' || type === 'boolean' ? type : 'text'
}
