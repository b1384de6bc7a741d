import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

export interface SourceFile {
  /** Path from the repository's root, with forward slashes. */
  readonly path: string
  readonly text: string
  readonly lines: number
}

/** Files below a folder of the repository whose names end in one of the endings. */
export function sourceFiles(folder: string, endings: readonly string[]): SourceFile[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && endings.some((ending) => entry.name.endsWith(ending)))
    .map((entry) => {
      const full = join(entry.parentPath, entry.name)
      const text = readFileSync(full, 'utf8')
      return { path: relative(ROOT, full).replaceAll('\\', '/'), text, lines: text.split('\n').length - 1 }
    })
    .sort((a, b) => (a.path < b.path ? -1 : 1))
}

export interface Import {
  readonly specifier: string
  readonly typeOnly: boolean
}

/** Import and re-export statements of a TypeScript file, dynamic imports included. */
export function importsOf(file: SourceFile): Import[] {
  const pattern = /^\s*(?:import|export)\s+(type\s+)?(?:[^'"]*?\sfrom\s+)?['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)/gm
  return [...file.text.matchAll(pattern)].map((match) => ({
    specifier: match[2] ?? match[3] ?? '',
    typeOnly: match[1] !== undefined,
  }))
}
