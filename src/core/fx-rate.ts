/** One exchange rate: units of `to` for one unit of `from`, valid from `date` on (D11). `rate` is decimal text. */
export interface FxRate {
  readonly date: string
  readonly from: string
  readonly to: string
  readonly rate: string
}
