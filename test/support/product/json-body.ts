/** Headers of a request whose body is JSON. */
export const JSON_BODY = { 'content-type': 'application/json' }
