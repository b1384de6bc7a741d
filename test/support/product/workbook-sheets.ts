import { XMLParser } from 'fast-xml-parser'
import { strFromU8, unzipSync } from 'fflate'

/** A cell of a workbook as its file has it: type and format of the file, text of the value. */
export interface SheetCell {
  readonly type: 'text' | 'number' | 'boolean'
  readonly value: string
  /** Format code; empty for the general one. */
  readonly format: string
}

/** A sheet by its rows; null where there is no cell. */
export type SheetRows = readonly (readonly (SheetCell | null)[])[]

const parser = new XMLParser({
  ignoreAttributes: false,
  parseTagValue: false,
  trimValues: false,
  isArray: (name) => ['row', 'c', 'si', 'sheet', 'xf', 'numFmt', 'Relationship'].includes(name),
})

/** The sheets of an XLSX file by name, read from its XML alone. Any formula in it is an error. */
export function sheetsOf(bytes: Uint8Array): ReadonlyMap<string, SheetRows> {
  const files = unzipSync(bytes)
  const xml = (path: string) => parser.parse(strFromU8(files[path] ?? new Uint8Array()))
  const texts: string[] = (xml('xl/sharedStrings.xml').sst?.si ?? []).map((item: { t: unknown }) => unescaped(textOf(item.t)))
  const { numFmts, cellXfs } = xml('xl/styles.xml').styleSheet
  const codes = new Map<string, string>(
    (numFmts?.numFmt ?? []).map((format: Record<string, string>) => [format['@_numFmtId'], format['@_formatCode']]),
  )
  const builtIn = new Map([
    ['3', '#,##0'],
    ['4', '#,##0.00'],
  ])
  const formats: string[] = cellXfs.xf.map((style: Record<string, string>) => {
    const id = style['@_numFmtId'] ?? '0'
    return codes.get(id) ?? builtIn.get(id) ?? ''
  })
  const targets = new Map<string, string>(
    xml('xl/_rels/workbook.xml.rels').Relationships.Relationship.map((one: Record<string, string>) => [
      one['@_Id'],
      one['@_Target'],
    ]),
  )
  const cell = (found: Record<string, unknown>): SheetCell => {
    if ('f' in found) throw new Error(`${String(found['@_r'])} is a formula`)
    const type = found['@_t'] === 's' ? 'text' : found['@_t'] === 'b' ? 'boolean' : 'number'
    const value = textOf(found['v'])
    return {
      type,
      value: type === 'text' ? (texts[Number(value)] ?? '') : value,
      format: formats[Number(found['@_s'] ?? 0)] ?? '',
    }
  }
  return new Map(
    xml('xl/workbook.xml').workbook.sheets.sheet.map((sheet: Record<string, string>) => {
      const path = `xl/${targets.get(sheet['@_r:id'] ?? '')?.replace(/^\/?(xl\/)?/, '')}`
      const rows = (xml(path).worksheet.sheetData?.row ?? []).map((row: { c?: Record<string, unknown>[] }) => {
        const cells: (SheetCell | null)[] = []
        for (const found of row.c ?? []) if ('v' in found) cells[columnOf(String(found['@_r']))] = cell(found)
        return Array.from(cells, (one) => one ?? null)
      })
      return [sheet['@_name'] ?? '', rows]
    }),
  )
}

/** The instant of a serial number of days since 1899-12-30. */
export function instantOf(serial: string): string {
  return new Date(Math.round((Number(serial) - 25_569) * 86_400_000)).toISOString()
}

function columnOf(address: string): number {
  const letters = address.replace(/\d+$/, '')
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

function textOf(node: unknown): string {
  if (typeof node === 'string') return node
  return typeof node === 'object' && node !== null && '#text' in node ? String(node['#text']) : ''
}

function unescaped(text: string): string {
  return text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}
