/** Forms that a result can have. */
export const FORMATS = ['text', 'json', 'csv', 'xlsx'] as const

export type Format = (typeof FORMATS)[number]
