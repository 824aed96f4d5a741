/** How lines begin that the Signal library prints: some hold whole sessions with private keys. */
const beginnings = [
  'Closing session',
  'Opening session',
  'Removing old closed session',
  'Session already',
  'Migrating session to',
  'V1 session storage migration',
  'Closing open session',
  'Closing stale open session',
  'Decrypted message with closed session',
  'Failed to decrypt message with any known session',
  'Session error',
  'Unhandled bucket type',
  'WARNING: Expected pubkey',
];

let isQuiet = false;

/** Keeps the Signal library from printing. It knows no logger and writes to the console of the process. */
export function quietSignal(): void {
  if (isQuiet) return;
  isQuiet = true;
  for (const method of ['info', 'warn', 'error', 'log'] as const) {
    const print = console[method].bind(console);
    console[method] = (...parts: unknown[]) => {
      const [first] = parts;
      if (typeof first === 'string' && beginnings.some((beginning) => first.startsWith(beginning))) return;
      print(...parts);
    };
  }
}
