import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { packageRoot } from '../../src/core/package-root.ts'

/** A service of docker-compose.yml, as far as the tests ask. */
export interface ComposeService {
  readonly profiles?: readonly string[]
  readonly image?: string
  readonly build?: { readonly context: string; readonly target: string }
  readonly environment?: Readonly<Record<string, string>>
  readonly command?: readonly string[]
  readonly volumes?: readonly string[]
  readonly ports?: readonly string[]
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
  readonly healthcheck?: unknown
}

export interface ComposeFile {
  readonly name: string
  readonly services: Readonly<Record<string, ComposeService>>
  readonly volumes: Readonly<Record<string, unknown>>
}

/** docker-compose.yml as compose reads it where the environment sets nothing: merged, variables at their defaults. */
export function composeFile(): ComposeFile {
  const text = readFileSync(join(packageRoot(), 'docker-compose.yml'), 'utf8')
  return parse(
    text.replaceAll(/\$\{\w+:-([^}]*)\}/g, (_, preset: string) => preset),
    { merge: true },
  )
}
