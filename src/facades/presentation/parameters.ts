export {
  ALL_PARAMETERS,
  PARAMETERS,
  type ParameterDefinition,
  type ParameterName,
  type ParameterOptionName,
  parameterNamed,
  STAGED_PARAMETERS,
} from '../../query/parameters.ts'
export { parameterAt, QUERY_PARAMETERS, SPEC_FIELDS } from '../../query/places.ts'
