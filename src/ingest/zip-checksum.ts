/** Signatures and places of APPNOTE.TXT 4.3.12 and 4.3.16, offsets from the beginning of a record. */
const END = { signature: 0x06054b50, bytes: 22, entries: 10, directory: 16 } as const
const ENTRY = { signature: 0x02014b50, bytes: 46, checksum: 16, nameBytes: 28, extraBytes: 30, commentBytes: 32 } as const

/** CRC-32 of a file as the directory of its ZIP archive lists it; undefined where it is not listed. */
export function checksumIn(archive: Uint8Array, name: string): number | undefined {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength)
  const end = endOfDirectory(view)
  if (end === undefined) return undefined
  let at = view.getUint32(end + END.directory, true)
  for (let left = view.getUint16(end + END.entries, true); left > 0; left--) {
    if (at + ENTRY.bytes > end || view.getUint32(at, true) !== ENTRY.signature) return undefined
    const nameBytes = view.getUint16(at + ENTRY.nameBytes, true)
    const listed = Buffer.from(archive.subarray(at + ENTRY.bytes, at + ENTRY.bytes + nameBytes))
    // Who reads the name tells by a flag which of the two it is.
    if (listed.toString('utf8') === name || listed.toString('latin1') === name) return view.getUint32(at + ENTRY.checksum, true)
    at += ENTRY.bytes + nameBytes + view.getUint16(at + ENTRY.extraBytes, true) + view.getUint16(at + ENTRY.commentBytes, true)
  }
  return undefined
}

// A comment may follow it, so it is looked for from the end.
function endOfDirectory(view: DataView): number | undefined {
  for (let at = view.byteLength - END.bytes; at >= 0; at--) if (view.getUint32(at, true) === END.signature) return at
  return undefined
}
