import type { Unit } from '../../core/column.ts'

/** Placeholder for a missing value. */
export const NO_VALUE = '–'

const CENTS = 100
/** Other texts are no currency, and the browser refuses to format them. */
const CURRENCY = /^[A-Z]{3}$/i

export interface NumberStyle {
  /** Currency of the amounts. If amounts are in the original currency, the currency of the row. */
  readonly currency?: string | undefined
  /** Shows cents, and all decimals of a rate in tables. */
  readonly precise?: boolean | undefined
  /** Shows a plus sign for positive numbers. */
  readonly signed?: boolean | undefined
}

const formats = new Map<string, Intl.NumberFormat>()

/** A number in the browser's locale, with a true minus sign. */
export function formatValue(value: number, unit: Unit, style: NumberStyle = {}): string {
  const text = formatOf(unit, style).format(unit === 'money' ? value / CENTS : value)
  return text.replaceAll('-', '−')
}

/** A difference of two numbers. The difference of two fractions is in percentage points. */
export function formatChange(value: number, unit: Unit, style: NumberStyle = {}): string {
  const text = formatValue(value, unit, { ...style, signed: true })
  return unit === 'fraction' ? text.replace(/\s?%/, ' pp') : text
}

/** Short form for the values of a chart: 48K, 12 %. Ratios keep two decimals, because most are near 1. */
export function formatShort(value: number, unit: Unit, currency: string): string {
  return compact(value, unit, currency, unit === 'ratio' ? 2 : 1)
}

/** More decimals than a round number has. Fewer would write two ticks of an axis alike. */
const ALL_DIGITS = 6

/** A tick of an axis in short form, with all its digits: 0.05, 50.35K. Ticks are round numbers. */
export function formatTick(value: number, unit: Unit, currency: string): string {
  return compact(value, unit, currency, ALL_DIGITS)
}

function compact(value: number, unit: Unit, currency: string, maximumFractionDigits: number): string {
  const style: Intl.NumberFormatOptions = unit === 'fraction' ? { style: 'percent' } : { notation: 'compact' }
  const options = {
    ...style,
    minimumFractionDigits: 0,
    maximumFractionDigits,
    ...(unit === 'money' ? moneyOptions(currency) : {}),
  }
  const text = cachedFormat(`compact ${unit} ${currency} ${maximumFractionDigits}`, options)
  return text.format(unit === 'money' ? value / CENTS : value).replaceAll('-', '−')
}

function formatOf(unit: Unit, { currency = '', precise = false, signed = false }: NumberStyle): Intl.NumberFormat {
  // A currency has its own decimals: yen have none.
  const digits = unit === 'money' && precise && CURRENCY.test(currency) ? {} : digitsOf(unit, precise)
  return cachedFormat(`${unit} ${currency} ${precise} ${signed}`, {
    ...digits,
    ...(unit === 'money' ? moneyOptions(currency) : {}),
    ...(unit === 'fraction' ? { style: 'percent' as const } : {}),
    ...(signed ? { signDisplay: 'exceptZero' as const } : {}),
  })
}

function digitsOf(unit: Unit, precise: boolean): Intl.NumberFormatOptions {
  switch (unit) {
    case 'money':
      return precise
        ? { minimumFractionDigits: 2, maximumFractionDigits: 2 }
        : { maximumFractionDigits: 0, minimumFractionDigits: 0 }
    case 'fraction':
      return { minimumFractionDigits: 1, maximumFractionDigits: 1 }
    case 'ratio':
      return { minimumFractionDigits: 2, maximumFractionDigits: 2 }
    case 'count':
      return { maximumFractionDigits: 2 }
  }
}

// The sign names one currency: in the United States CA$ and A$ differ from $, in Canada US$ does. A narrow sign would be $ for all.
function moneyOptions(currency: string): Intl.NumberFormatOptions {
  return CURRENCY.test(currency) ? { style: 'currency', currency, currencyDisplay: 'symbol' } : {}
}

function cachedFormat(key: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const known = formats.get(key)
  if (known !== undefined) return known
  const made = new Intl.NumberFormat(undefined, options)
  formats.set(key, made)
  return made
}
