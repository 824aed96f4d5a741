/** Facts as fields; never a message text, a token, a secret or a whole phone number. */
export interface Logger {
  debug(message: string, fields?: Readonly<Record<string, unknown>>): void;
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
  error(message: string, fields?: Readonly<Record<string, unknown>>): void;
  /** A logger with further fields in every line. */
  child(fields: Readonly<Record<string, unknown>>): Logger;
}
