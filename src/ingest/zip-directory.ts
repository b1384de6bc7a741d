/** Signatures and places of APPNOTE.TXT 4.3.7, 4.3.12, 4.3.14 to 4.3.16 and 4.5.3, offsets from the beginning of a record. */
const END = { signature: 0x06054b50, bytes: 22, entries: 10, directory: 16 } as const
const LARGE_LOCATOR = { signature: 0x07064b50, bytes: 20, end: 8 } as const
const LARGE_END = { signature: 0x06064b50, bytes: 56, entries: 32, directory: 48 } as const
const LISTED = {
  signature: 0x02014b50,
  bytes: 46,
  flags: 8,
  method: 10,
  checksum: 16,
  packed: 20,
  size: 24,
  nameBytes: 28,
  extraBytes: 30,
  commentBytes: 32,
  place: 42,
} as const
const LOCAL = { signature: 0x04034b50, bytes: 30, nameBytes: 26, extraBytes: 28 } as const
const MOST_COMMENT_BYTES = 0xffff
const LARGE_SIZES = 1
const ENCRYPTED = 1
/** What a field holds whose value stands among the large sizes. */
const ELSEWHERE = 0xffffffff

/** A file of a ZIP archive as the directory at its end lists it. Nothing of this is true until the file has been inflated. */
export interface ZipEntry {
  readonly name: string
  /** 0 is stored, 8 is deflated. */
  readonly method: number
  readonly isEncrypted: boolean
  /** CRC-32 of the file. */
  readonly checksum: number
  /** Bytes of the file when it is inflated. */
  readonly size: number
  /** The file as the archive holds it. */
  readonly packed: Uint8Array
}

/** The files of a ZIP archive, one after the other. RangeError where its directory or a file lies outside it, or is none. */
export function* zipEntries(archive: Uint8Array): Generator<ZipEntry> {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength)
  let { at, left } = directoryOf(view)
  for (; left > 0; left--) {
    expectSignature(view, at, LISTED.signature)
    const nameBytes = view.getUint16(at + LISTED.nameBytes, true)
    const extraBytes = view.getUint16(at + LISTED.extraBytes, true)
    const extra = at + LISTED.bytes + nameBytes
    const [size, packed, place] = sizesOf(view, at, extra, extra + extraBytes)
    yield {
      name: Buffer.from(archive.subarray(at + LISTED.bytes, extra)).toString('utf8'),
      method: view.getUint16(at + LISTED.method, true),
      isEncrypted: (view.getUint16(at + LISTED.flags, true) & ENCRYPTED) !== 0,
      checksum: view.getUint32(at + LISTED.checksum, true),
      size,
      packed: packedAt(archive, view, place, packed),
    }
    at = extra + extraBytes + view.getUint16(at + LISTED.commentBytes, true)
  }
}

function directoryOf(view: DataView): { at: number; left: number } {
  const end = endOfDirectory(view)
  const locator = end - LARGE_LOCATOR.bytes
  if (locator >= 0 && view.getUint32(locator, true) === LARGE_LOCATOR.signature) {
    const large = largeNumber(view, locator + LARGE_LOCATOR.end)
    expectSignature(view, large, LARGE_END.signature)
    return { at: largeNumber(view, large + LARGE_END.directory), left: largeNumber(view, large + LARGE_END.entries) }
  }
  return { at: view.getUint32(end + END.directory, true), left: view.getUint16(end + END.entries, true) }
}

// A comment may follow it, so it is looked for from the end.
function endOfDirectory(view: DataView): number {
  const last = view.byteLength - END.bytes
  for (let at = last; at >= Math.max(0, last - MOST_COMMENT_BYTES); at--)
    if (view.getUint32(at, true) === END.signature) return at
  throw new RangeError('no end of a directory')
}

/** Size, packed size and place of a listed file. What is too large for its field stands in the extra field of large sizes, in this order. */
function sizesOf(view: DataView, listed: number, extra: number, end: number): readonly [number, number, number] {
  let next = largeSizes(view, extra, end)
  const read = (field: number): number => {
    const value = view.getUint32(listed + field, true)
    if (value !== ELSEWHERE || next === undefined) return value
    next += 8
    return largeNumber(view, next - 8)
  }
  return [read(LISTED.size), read(LISTED.packed), read(LISTED.place)]
}

function largeSizes(view: DataView, extra: number, end: number): number | undefined {
  for (let at = extra; at + 4 <= end; at += 4 + view.getUint16(at + 2, true)) {
    if (view.getUint16(at, true) === LARGE_SIZES) return at + 4
  }
  return undefined
}

function packedAt(archive: Uint8Array, view: DataView, place: number, bytes: number): Uint8Array {
  expectSignature(view, place, LOCAL.signature)
  const names = view.getUint16(place + LOCAL.nameBytes, true) + view.getUint16(place + LOCAL.extraBytes, true)
  const begin = place + LOCAL.bytes + names
  if (begin + bytes > archive.byteLength) throw new RangeError('a file ends after its archive')
  return archive.subarray(begin, begin + bytes)
}

function largeNumber(view: DataView, at: number): number {
  return Number(view.getBigUint64(at, true))
}

function expectSignature(view: DataView, at: number, signature: number): void {
  if (view.getUint32(at, true) !== signature) throw new RangeError('another record than expected')
}
