import { describe, expect, it } from 'vitest'
import { metricText } from '../../src/facades/http/openapi/metric-text.ts'
import { builtInRegistry } from '../../src/metrics/built-in.ts'

describe('the documentation of a metric', () => {
  it.each([...builtInRegistry().metrics.values()])(
    '$name states formula, assumptions, edge cases and a worked example',
    (definition) => {
      const { name, summary, docs } = definition
      const text = metricText(definition)
      const parts = [
        `${summary}.`,
        '**Formula**',
        '**Assumptions**',
        '**Edge cases**',
        '**Worked example**',
        `POST /api/metrics/${name}`,
      ]
      const places = parts.map((part) => text.indexOf(part))
      expect(places).not.toContain(-1)
      expect(places).toEqual([...places].sort((a, b) => a - b))
      for (const item of [...docs.assumptions, ...docs.edge_cases]) expect(text).toContain(`\n- ${item}\n`)
      expect(text).toContain(docs.formula)
    },
  )

  it.each([...builtInRegistry().metrics.values()])(
    '$name shows the request and the answer of its example as JSON',
    ({ docs, ...rest }) => {
      const [request = '', answer = ''] = [...metricText({ docs, ...rest }).matchAll(/```json\n([\s\S]*?)\n```/g)].map(
        ([, code]) => code,
      )
      const { params, spec } = docs.example
      expect(JSON.parse(request)).toEqual(spec === undefined ? { params } : { params, spec })
      expect(JSON.parse(answer)).toEqual(docs.example.answer)
    },
  )

  it('leaves out a list that is empty', () => {
    const example = { text: 'One.', params: {}, answer: 1 }
    const docs = { formula: 'A = b. C = d.', assumptions: [], edge_cases: ['Only this.'], example }
    expect(metricText({ name: 'sample', summary: 'A sample', docs })).toBe(
      [
        'A sample.',
        '**Formula**\n\nA = b. C = d.',
        '**Edge cases**\n\n- Only this.',
        '**Worked example**\n\nOne.',
        'Request: `POST /api/metrics/sample`',
        '```json\n{"params":{}}\n```',
        'Response:',
        '```json\n1\n```',
      ].join('\n\n'),
    )
  })
})
