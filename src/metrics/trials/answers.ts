import * as z from 'zod'

const count = (text: string) => z.number().int().nonnegative().describe(text)

const period = z.string().describe('First day of the period').meta({ format: 'date' })
const conversion_rate = z.number().min(0).max(1).nullable().describe('Converted trials / started trials; null when none started')
const started = count('Trials begun inside')
const converted = count('Those that converted by now')
const funnel = {
  started,
  converted,
  expired: count('Those that ended without converting'),
  pending: count('Those still open: started - converted - expired'),
  conversion_rate,
}

/** Rows of trials without their dimensions, and the plain answers (http-api.md 3.5). */
export const ANSWERS = {
  conversion_rate: {
    plain: conversion_rate,
    row: z.object({ period: period.optional(), conversion_rate, started, converted }),
  },
  funnel: { plain: z.object(funnel), row: z.object({ period: period.optional(), ...funnel }) },
  series: { row: z.object({ period, ...funnel }) },
} as const
