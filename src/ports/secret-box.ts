/** Tokens and the like as the store keeps them: sealed, never in clear. */
export type SealedText = string

/** Seals what nobody may read in the store. */
export interface SecretBox {
  /** Seals an object for one place, which `purpose` names. AppError `unsupported_by_connector` with the reason where there is no key. */
  seal(secrets: Readonly<Record<string, unknown>>, purpose: string): Promise<SealedText>
  /** What was sealed for that place; undefined where the key is another one, or the text was sealed for another place. */
  open(sealed: SealedText, purpose: string): Promise<Readonly<Record<string, unknown>> | undefined>
}
