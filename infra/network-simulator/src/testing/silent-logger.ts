import type { UserFacingSocketConfig } from '@whiskeysockets/baileys';

type Logger = NonNullable<UserFacingSocketConfig['logger']>;

const nothing = () => {};

/** Keeps the client library's log out of the tests' output. */
export const SILENT: Logger = {
  level: 'silent',
  child: () => SILENT,
  trace: nothing,
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
};
