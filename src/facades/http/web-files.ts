import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'

/** The built dashboard. */
export interface WebFiles {
  /** The HTML document of all page addresses. Its `<base>` is set per service. */
  readonly page: string
  /** The HTML document of shared pages. Its `<base>` is set in the same way. */
  readonly shared?: string | undefined
  /** Files under `/assets/` by name. A name contains a hash of the content. */
  readonly assets: ReadonlyMap<string, WebAsset>
}

export interface WebAsset {
  readonly type: string
  readonly bytes: Uint8Array<ArrayBuffer>
  /** The file in other encodings, the smallest first. */
  readonly encoded: readonly {
    readonly encoding: 'br' | 'gzip'
    readonly bytes: Uint8Array<ArrayBuffer>
  }[]
}

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.md': 'text/markdown; charset=utf-8',
}

const ENCODINGS = [
  { encoding: 'br', ending: '.br' },
  { encoding: 'gzip', ending: '.gz' },
] as const

/** Reads the build in `folder`. Undefined without a build, as in a source checkout. */
export function readWebFiles(folder: string): WebFiles | undefined {
  const document = join(folder, 'index.html')
  if (!existsSync(document)) return undefined
  const below = join(folder, 'assets')
  const names = readdirSync(below)
  const assets = names.flatMap((name): [string, WebAsset][] => {
    const type = TYPES[extname(name)]
    if (type === undefined) return []
    const encoded = ENCODINGS.filter(({ ending }) => names.includes(name + ending)).map(({ encoding, ending }) => ({
      encoding,
      bytes: bytesOf(join(below, name + ending)),
    }))
    return [[name, { type, bytes: bytesOf(join(below, name)), encoded }]]
  })
  const shared = join(folder, 'shared.html')
  return {
    page: readFileSync(document, 'utf8'),
    shared: existsSync(shared) ? readFileSync(shared, 'utf8') : undefined,
    assets: new Map(assets),
  }
}

function bytesOf(path: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(readFileSync(path))
}
