import { Readable } from 'node:stream'
import { Zip, ZipDeflate, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { unzipped } from '../../src/workspace/csv/unzipped.ts'

const LISTED = 0x02014b50
const LOCAL = 0x04034b50
const END = 0x06054b50
const TEXT = Buffer.from('date,from,to,rate\n2024-01-31,EUR,USD,1.1\n')

/** The text of an archive, or the code and message of its refusal, and how many bytes had come by then. */
async function read(archive: Uint8Array, maxBytes = 1_000_000) {
  const source = Readable.from([Buffer.from(archive)])
  let bytes = 0
  const pieces: Uint8Array[] = []
  try {
    for await (const piece of unzipped(source, maxBytes)) {
      bytes += piece.length
      pieces.push(Buffer.from(piece))
    }
    return { text: Buffer.concat(pieces).toString(), bytes }
  } catch (error) {
    const { code, message } = error as { code: string; message: string }
    return { code, message, bytes }
  }
}

/** A record of an archive with one of its 32-bit numbers replaced. */
function forged(archive: Uint8Array, signature: number, offset: number, value: number): Uint8Array {
  const bytes = Buffer.from(archive)
  const mark = Buffer.alloc(4)
  mark.writeUInt32LE(signature)
  bytes.writeUInt32LE(value, bytes.indexOf(mark) + offset)
  return bytes
}

describe('a ZIP archive with a CSV file', () => {
  it('inflating stops at the limit, whatever the archive says of the size', async () => {
    const large = Buffer.alloc(300_000_000, 'x')
    const honest = zipSync({ 'a.csv': large }, { level: 9 })
    expect(honest.length).toBeLessThan(1_000_000)
    for (const claimed of [100, 999_999]) {
      const { code, bytes } = await read(forged(forged(honest, LISTED, 24, claimed), LOCAL, 22, claimed))
      expect(code).toBe('invalid_csv')
      expect(bytes).toBeLessThanOrEqual(claimed)
    }
    expect(await read(honest)).toMatchObject({ code: 'payload_too_large', bytes: 0 })
    // A stored file lies within the archive, which has the same limit.
    expect(await read(zipSync({ 'a.csv': large.subarray(0, 2_000_000) }, { level: 0 }))).toMatchObject({
      code: 'payload_too_large',
    })
  })

  it('a size, checksum or place that is wrong is damage', async () => {
    const archive = zipSync({ 'a.csv': TEXT })
    expect(await read(archive)).toMatchObject({ text: String(TEXT) })
    const reasons = [
      forged(archive, LISTED, 24, TEXT.length + 1),
      forged(archive, LISTED, 24, 0),
      forged(archive, LISTED, 16, 7),
      forged(archive, LISTED, 20, 3),
      forged(archive, LISTED, 20, 0xffffffff),
      forged(archive, LISTED, 42, 1),
      forged(archive, LISTED, 42, 0xfffffff0),
      forged(archive, END, 16, 0xfffffff0),
      archive.subarray(0, archive.length - 30),
    ]
    for (const bytes of reasons) {
      expect(await read(bytes)).toMatchObject({ code: 'invalid_csv', message: expect.stringContaining('archive is damaged') })
    }
  })

  it('an entry with encryption or another compression is refused by name', async () => {
    const archive = Buffer.from(zipSync({ 'a.csv': TEXT }))
    const at = archive.indexOf(Buffer.from([0x50, 0x4b, 1, 2]))
    const encrypted = Buffer.from(archive)
    encrypted.writeUInt16LE(1, at + 8)
    expect(await read(encrypted)).toMatchObject({ message: expect.stringContaining('is encrypted') })
    const other = Buffer.from(archive)
    other.writeUInt16LE(14, at + 10)
    expect(await read(other)).toMatchObject({ message: expect.stringContaining('with method 14') })
  })

  it('sizes that follow the file, a comment and 64 bits are read', async () => {
    expect(await read(streamed(TEXT))).toMatchObject({ text: String(TEXT) })
    const commented = Buffer.concat([zipSync({ 'a.csv': TEXT }), Buffer.from('a comment')])
    commented.writeUInt16LE(9, commented.length - 11)
    expect(await read(commented)).toMatchObject({ text: String(TEXT) })
    expect(await read(withLargeSizes(TEXT))).toMatchObject({ text: String(TEXT) })
  })

  it('many files that share one bomb are listed, and not inflated', async () => {
    const bomb = Buffer.from(zipSync({ '0.csv': Buffer.alloc(900_000) }))
    const at = bomb.indexOf(Buffer.from([0x50, 0x4b, 1, 2]))
    const [local, record, end] = [bomb.subarray(0, at), bomb.subarray(at, bomb.length - 22), bomb.subarray(bomb.length - 22)]
    const many = Buffer.concat([local, ...Array.from({ length: 5_000 }, () => record), end])
    many.writeUInt16LE(5_000, many.length - 12)
    expect(await read(many)).toEqual({
      code: 'invalid_csv',
      message: 'The ZIP archive must hold exactly one CSV file, but holds more than 1000 files.',
      bytes: 0,
    })
  })
})

/** An archive as a program writes it that does not know the sizes beforehand. */
function streamed(text: Uint8Array): Uint8Array {
  const pieces: Uint8Array[] = []
  const zip = new Zip((error, piece) => {
    if (error) throw error
    pieces.push(piece)
  })
  const file = new ZipDeflate('a.csv')
  zip.add(file)
  file.push(text, true)
  zip.end()
  return Buffer.concat(pieces)
}

/** An archive that has its sizes and places in the fields for 64 bits (APPNOTE.TXT 4.5.3). */
function withLargeSizes(text: Uint8Array): Uint8Array {
  const archive = Buffer.from(zipSync({ 'a.csv': text }))
  const at = archive.indexOf(Buffer.from([0x50, 0x4b, 1, 2]))
  const record = Buffer.from(archive.subarray(at, at + 46 + 5))
  const packed = record.readUInt32LE(20)
  for (const field of [20, 24, 42]) record.writeUInt32LE(0xffffffff, field)
  record.writeUInt16LE(28, 30)
  const extra = Buffer.alloc(28)
  extra.writeUInt16LE(1, 0)
  extra.writeUInt16LE(24, 2)
  extra.writeBigUInt64LE(BigInt(text.length), 4)
  extra.writeBigUInt64LE(BigInt(packed), 12)
  const end = Buffer.alloc(56)
  end.writeUInt32LE(0x06064b50, 0)
  end.writeBigUInt64LE(44n, 4)
  end.writeBigUInt64LE(1n, 24)
  end.writeBigUInt64LE(1n, 32)
  end.writeBigUInt64LE(74n, 40)
  end.writeBigUInt64LE(BigInt(at), 48)
  const locator = Buffer.alloc(20)
  locator.writeUInt32LE(0x07064b50, 0)
  locator.writeBigUInt64LE(BigInt(at + record.length + extra.length), 8)
  const last = Buffer.from(archive.subarray(archive.length - 22))
  last.writeUInt16LE(0xffff, 10)
  last.writeUInt32LE(0xffffffff, 16)
  return Buffer.concat([archive.subarray(0, at), record, extra, end, locator, last])
}
