import * as z from 'zod'
import { sections } from './sections.ts'

type Sections = typeof sections

/** `<section>.<key>` of every setting. */
export type SettingName = { [S in keyof Sections & string]: `${S}.${keyof Sections[S]['shape'] & string}` }[keyof Sections &
  string]

/** A setting as the environment, the starter file and messages see it. */
export interface Setting {
  readonly name: SettingName
  readonly section: string
  readonly key: string
  /** Environment variable that sets it. */
  readonly environment: string
  /** How text is read: `list` is comma-separated. */
  readonly kind: 'text' | 'integer' | 'boolean' | 'list'
  /** Undefined where absence means something of its own. */
  readonly preset: unknown
  readonly description: string
}

const ENVIRONMENT_EXCEPTIONS: Readonly<Record<string, string>> = {
  'auth.enabled': 'AUTH_ENABLED',
  'connector.type': 'PLUMBLINE_CONNECTOR',
  'clock.now': 'PLUMBLINE_NOW',
}

/** Every setting, in the order of the sections. */
export const SETTINGS: readonly Setting[] = Object.entries(sections).flatMap(([section, schema]) =>
  Object.entries(z.toJSONSchema(schema, { io: 'input' }).properties ?? {}).map(([key, property]) =>
    setting(section, key, z.object({}).loose().parse(property)),
  ),
)

export const SECTION_NAMES: readonly string[] = Object.keys(sections)

/** Setting of a name, undefined if there is none. */
export function settingNamed(name: string): Setting | undefined {
  return SETTINGS.find((each) => each.name === name)
}

function setting(section: string, key: string, property: Readonly<Record<string, unknown>>): Setting {
  const name = `${section}.${key}`
  return {
    name: name as SettingName,
    section,
    key,
    environment: ENVIRONMENT_EXCEPTIONS[name] ?? regularVariable(name),
    kind: kindOf(property),
    preset: property['default'],
    description: String(property['description'] ?? ''),
  }
}

/** The variable that a setting would have by the rule; three have another. */
export function regularVariable(name: string): string {
  return `PLUMBLINE_${name.replace('.', '_')}`.toUpperCase()
}

function kindOf(property: Readonly<Record<string, unknown>>): Setting['kind'] {
  const type = property['type']
  if (type === 'array' || property['anyOf'] !== undefined) return 'list'
  return type === 'integer' || type === 'boolean' ? type : 'text'
}
