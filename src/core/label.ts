/** Acronyms, which are written in upper case. */
export const ACRONYMS = /\b(mrr|arr|nrr|grr|arpu|ltv|id|csv|api|fx)\b/gi

/** The display name of a column without a label: the words of its name. */
export function labelFromName(name: string): string {
  const words = name
    .replace(/_cents$/, '')
    .replaceAll(/[_.]+/g, ' ')
    .trim()
    .replaceAll(ACRONYMS, (word) => word.toUpperCase())
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** A label in lower case, except acronyms: “Country” becomes “country”, “MRR band” stays. */
export function withinSentence(label: string): string {
  return /^[A-Z][a-z]/.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label
}
