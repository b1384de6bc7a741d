import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants } from 'node:zlib'
import * as z from 'zod'
import { makeDirectory } from '../../core/make-directory.ts'

const compress = promisify(brotliCompress)
const decompress = promisify(brotliDecompress)

/** Length of the number in front of the list of contents. */
const HEAD_BYTES = 4

const contents = z.object({ directories: z.array(z.string()), files: z.array(z.object({ path: z.string(), bytes: z.number() })) })

/** Packs everything below a directory into one compressed file. The order of the files does not depend on the file system. */
export async function packDirectory(directory: string): Promise<Buffer> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const pathsOf = (isWanted: (entry: (typeof entries)[number]) => boolean) =>
    entries
      .filter(isWanted)
      .map((entry) => relative(directory, join(entry.parentPath, entry.name)))
      .sort()
  const paths = pathsOf((entry) => entry.isFile())
  const texts = await Promise.all(paths.map((path) => readFile(join(directory, path))))
  const list = Buffer.from(
    JSON.stringify({
      directories: pathsOf((entry) => entry.isDirectory()),
      files: paths.map((path, place) => ({ path, bytes: texts[place]?.byteLength })),
    }),
  )
  const head = Buffer.alloc(HEAD_BYTES)
  head.writeUInt32BE(list.byteLength)
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
  }
  return compress(Buffer.concat([head, list, ...texts]), { params })
}

/** Writes a packed directory below `directory`. Only the owner of the process can read it. */
export async function unpackDirectory(packed: Buffer, directory: string): Promise<void> {
  const bytes = await decompress(packed)
  let place = HEAD_BYTES + bytes.readUInt32BE()
  const { directories, files } = contents.parse(JSON.parse(bytes.toString('utf8', HEAD_BYTES, place)))
  await makeDirectory(directory, 0o700)
  // A directory is listed before those below it.
  for (const path of directories) await mkdir(join(directory, path), { mode: 0o700 })
  const writes = files.map(({ path, bytes: length }) => {
    const from = place
    place += length
    return writeFile(join(directory, path), bytes.subarray(from, place), { mode: 0o600 })
  })
  await Promise.all(writes)
}
