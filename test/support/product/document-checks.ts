import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { Schema } from './api-operations.ts'

/** Compiles schemas of /openapi.json, which may refer to its components. A schema is compiled once. */
export function documentChecks(components: Schema): (schema: Schema) => ValidateFunction {
  const ajv = new Ajv2020({ strict: false, allErrors: false })
  addFormats.default(ajv)
  ajv.addSchema({ $id: 'document', components })
  const compiled = new Map<string, ValidateFunction>()
  return (schema) => {
    const text = JSON.stringify(schema).replaceAll('"#/components', '"document#/components')
    const made = compiled.get(text) ?? ajv.compile(JSON.parse(text) as Schema)
    compiled.set(text, made)
    return made
  }
}
