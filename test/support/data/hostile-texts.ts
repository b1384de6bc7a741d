/** A part of every hostile text. A statement that contains it shows that a value became SQL. */
export const MARK = 'zq7mark'

/** Texts that break out of quotes, comments, patterns, placeholders or templates where somebody pastes them into SQL. */
export const HOSTILE_TEXTS: readonly string[] = [
  `${MARK}' or '1'='1`,
  `${MARK}\\' or 1=1 -- `,
  `${MARK}"; drop table accounts; --`,
  `\`${MARK}\``,
  `*/ ${MARK} union select 1 /*`,
  `/*{filters}*/ relation.${MARK} fn.text(${MARK}) :${MARK}`,
  `$1 ? $2 ?? ${MARK} %s {0} \${1}`,
  `%${MARK}_!%!!\\%`,
  `${MARK}\\`,
  `${MARK} `,
  `${MARK}\r\nx-injected: 1\t\u001b[2J`,
  `${MARK}\u2028\ufeff\u200b\u202eİſßǆ`,
  `😀${MARK}𝒳`,
  `${MARK}${'x'.repeat(3000)}`,
]

/** Texts that neither engine can hold. */
export const NOT_STORABLE: readonly string[] = [`${MARK}\u0000`, `\u0000' or ${MARK}`]

const deep = (levels: number, open: string, close: string) => open.repeat(levels) + close.repeat(levels)

/** Bodies with the code and the place they are refused with. */
export const HOSTILE_BODIES: readonly (readonly [body: string, code: string, where: string])[] = [
  ['{', 'invalid_json', 'body'],
  ['{}{}', 'invalid_json', 'body'],
  ["{'params':{}}", 'invalid_json', 'body'],
  ['{"params":{"at":"2026-01-01",}}', 'invalid_json', 'body'],
  ['NaN', 'invalid_json', 'body'],
  ['null', 'validation_failed', 'body'],
  ['[]', 'validation_failed', 'body'],
  ['"{}"', 'validation_failed', 'body'],
  [deep(100_000, '[', ']'), 'validation_failed', 'body'],
  [`{"spec":{"filters":${deep(99, '{"a":', '}').replace(':}', ':1}')}}}`, 'validation_failed', 'body'],
  ['{"__proto__":{"spec":{}}}', 'validation_failed', 'body.__proto__'],
  ['{"constructor":{"prototype":{}}}', 'validation_failed', 'body.constructor'],
  ['{"params":[]}', 'validation_failed', 'body.params'],
  ['{"params":{"__proto__":{"at":"2026-01-01"}}}', 'validation_failed', 'body.params.__proto__'],
  ['{"params":{"toString":"x"}}', 'validation_failed', 'body.params.toString'],
  ['{"params":{"at":20260101}}', 'invalid_value', 'body.params.at'],
  ['{"params":{"at":{"$gt":""}}}', 'invalid_value', 'body.params.at'],
  ['{"params":{"at":["2026-01-01","2026-01-02"]}}', 'invalid_value', 'body.params.at'],
  ['{"params":{"query_type":"constructor"}}', 'invalid_value', 'body.params.query_type'],
  ['{"params":{"type":{"toString":1}}}', 'invalid_value', 'body.params.type'],
  ['{"params":{"format":"xml"}}', 'invalid_value', 'body.params.format'],
  ['{"spec":"select 1"}', 'validation_failed', 'body.spec'],
  ['{"spec":{"__proto__":{"dimensions":["plan_id"]}}}', 'validation_failed', 'body.spec.__proto__'],
  ['{"spec":{"dimensions":"plan_id"}}', 'validation_failed', 'body.spec.dimensions'],
  ['{"spec":{"dimensions":[["plan_id"]]}}', 'validation_failed', 'body.spec.dimensions'],
  ['{"spec":{"dimensions":["__proto__"]}}', 'unknown_dimension', 'body.spec.dimensions'],
  ['{"spec":{"dimensions":["fact.mrr_cents"]}}', 'unknown_dimension', 'body.spec.dimensions'],
  ['{"spec":{"filters":"currency=EUR"}}', 'validation_failed', 'body.spec.filters'],
  ['{"spec":{"filters":{"__proto__":"x"}}}', 'unknown_filter', 'body.spec.filters.__proto__'],
  ['{"spec":{"filters":{"hasOwnProperty":"x"}}}', 'unknown_filter', 'body.spec.filters.hasOwnProperty'],
  ['{"spec":{"filters":{"plan_id":{"__proto__":"x"}}}}', 'invalid_operator', 'body.spec.filters.plan_id'],
  ['{"spec":{"filters":{"plan_id":{"~":"x"}}}}', 'invalid_operator', 'body.spec.filters.plan_id'],
  ['{"spec":{"filters":{"plan_id":{}}}}', 'invalid_operator', 'body.spec.filters.plan_id'],
  ['{"spec":{"filters":{"plan_id":{"=":{"=":"x"}}}}}', 'invalid_value', 'body.spec.filters.plan_id'],
  ['{"spec":{"filters":{"plan_id":{"in":"x"}}}}', 'invalid_value', 'body.spec.filters.plan_id'],
  ['{"spec":{"filters":{"plan_id":[null]}}}', 'invalid_value', 'body.spec.filters.plan_id'],
  ['{"spec":{"filters":{"plan_id":"\\ud800"}}}', 'invalid_value', 'body.spec.filters.plan_id'],
  ['{"spec":{"filters":{"tenure_months":{"between":[1]}}}}', 'invalid_value', 'body.spec.filters.tenure_months'],
  ['{"spec":{"filters":{"pending_cancellation":1}}}', 'invalid_value', 'body.spec.filters.pending_cancellation'],
  ['{"spec":{"time_range":{"length":2,"0":"2026-01-01","1":"2026-02-01"}}}', 'validation_failed', 'body.spec.time_range'],
  ['{"spec":{"time_range":["2026-02-01","2026-01-01"]}}', 'invalid_range', 'body.spec.time_range'],
]
