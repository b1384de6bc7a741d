import { withoutControls } from '../../../core/text.ts'
import type { Block, BlockColumn, Briefing, Figure } from './briefing.ts'
import { barsOf, changeText, factsOf, figureText, goalOfFigure, moreText, valueText } from './values.ts'

// Mail programs know tables and inline styles. Colours without a style sheet are those of the light form, which the style sheet turns dark.
const FONT = 'font-family:-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif'
const CELL = `${FONT};font-size:14px;line-height:20px;padding:4px 12px 4px 0;vertical-align:top`
const DARK =
  '@media (prefers-color-scheme:dark){body,.page{background:#16181d!important}body,td,th,h1,h2,p,a{color:#e7e9ee!important}.quiet{color:#a3a9b6!important}.bar{background:#7aa7ff!important}.line{border-color:#343a46!important}}'

/** The HTML form, for mails and files: 600 pixels of tables. It asks no host for anything. `origin` is the address of the dashboard, if it has one. */
export function briefingHtml(briefing: Briefing, origin?: string): string {
  const facts = factsOf(briefing).map(
    (fact) =>
      `<p class="quiet" style="${FONT};font-size:12px;line-height:18px;color:#5b6272;margin:0 0 4px">${escaped(fact)}</p>`,
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escaped(briefing.title)}</title>
<style>${DARK}</style>
</head>
<body style="margin:0;background:#ffffff;color:#1b1f27">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="table-layout:fixed"><tr><td class="page" align="center" style="padding:24px 12px">
<table role="presentation" width="600" cellpadding="0" cellspacing="0" style="max-width:600px;width:100%;table-layout:fixed;text-align:left"><tr><td>
<h1 style="${FONT};font-size:22px;line-height:28px;margin:0 0 20px">${escaped(briefing.title)}</h1>
${briefing.blocks.map((block) => blockHtml(block, briefing.base_currency, origin)).join('\n')}
${facts.join('\n')}
</td></tr></table>
</td></tr></table>
</body>
</html>
`
}

function blockHtml(block: Block, currency: string, origin: string | undefined): string {
  const title = escaped(block.title)
  const linked =
    origin === undefined ? title : `<a href="${escaped(`${origin}/${block.page}`)}" style="color:#1b1f27">${title}</a>`
  return `<h2 style="${FONT};font-size:16px;line-height:22px;margin:0 0 8px">${linked}</h2>
${contentHtml(block, currency)}`
}

function contentHtml(block: Block, currency: string): string {
  switch (block.kind) {
    case 'sentences':
      return `<div style="margin:0 0 24px">${block.sentences.map((sentence) => `<p style="${FONT};font-size:14px;line-height:20px;margin:0 0 6px">${escaped(sentence)}</p>`).join('\n')}</div>`
    case 'figures':
      return tableOf(block.figures.map((figure) => figureRow(figure, currency)).join('\n'))
    case 'table': {
      const shares = barsOf(block)
      const head = block.columns.map((column) => cell('th', column, escaped(column.title)))
      const rows = block.rows.map((row, place) => {
        const cells = row.map((value, index) => {
          const column = block.columns[index] ?? { title: '' }
          return cell('td', column, escaped(valueText(value, column.unit, currency)))
        })
        return `<tr>${cells.join('')}${shares === undefined ? '' : barCell(shares[place] ?? 0)}</tr>`
      })
      const more =
        block.more === 0
          ? ''
          : `<tr><td class="quiet" colspan="${block.columns.length}" style="${CELL};color:#5b6272">${moreText(block.more)}</td></tr>`
      return tableOf(`<tr>${head.join('')}${shares === undefined ? '' : '<th></th>'}</tr>\n${rows.join('\n')}${more}`)
    }
  }
}

function figureRow(figure: Figure, currency: string): string {
  const right = `${CELL};text-align:right;white-space:nowrap`
  const goal = goalOfFigure(figure, currency)
  const small = [figure.days, ...(goal === '' ? [] : [goal])].map(escaped).join('<br>')
  return `<tr><th scope="row" style="${CELL};text-align:left;font-weight:400">${escaped(figure.title)}<br><span class="quiet" style="font-size:12px;color:#5b6272">${small}</span></th><td style="${right};font-weight:600">${escaped(figureText(figure, currency))}</td><td style="${right}">${escaped(changeText(figure, currency))}</td></tr>`
}

function tableOf(rows: string): string {
  return `<div style="overflow-x:auto;margin:0 0 24px"><table cellpadding="0" cellspacing="0" style="border-collapse:collapse">
${rows}
</table></div>`
}

function cell(tag: 'td' | 'th', { unit }: BlockColumn, content: string): string {
  const align = unit === undefined ? 'text-align:left;min-width:56px' : 'text-align:right;white-space:nowrap'
  const head = tag === 'th' ? ';font-weight:600;border-bottom:1px solid #d5d9e2' : ''
  return `<${tag}${tag === 'th' ? ' scope="col" class="line"' : ''} style="${CELL};${align}${head}">${content}</${tag}>`
}

const BAR_PIXELS = 220

function barCell(share: number): string {
  return `<td style="${CELL}"><div class="bar" style="background:#2f6fed;height:12px;margin-top:4px;width:${Math.round(share * BAR_PIXELS)}px"></div></td>`
}

/** Text as HTML, on one line. */
function escaped(text: string): string {
  const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
  return withoutControls(text).replace(/[&<>"']/g, (character) => entities[character] ?? character)
}
