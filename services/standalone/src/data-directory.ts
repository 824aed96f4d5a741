import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Secrets that a standalone installation makes once and keeps. */
export interface KeptSecrets {
  readonly jwtSecret: string;
  readonly jwtRefreshSecret: string;
  /** 32 characters. */
  readonly encryptionKey: string;
  readonly postgresPassword: string;
}

/**
 * Makes the data folder, for its owner alone, and reads its secrets, which are made at the first start.
 * `secrets.json` belongs into every backup of the folder: without its encryption key stored credentials are lost.
 */
export function openDataDirectory(directory: string): KeptSecrets {
  mkdirSync(directory, { recursive: true });
  const file = join(directory, 'secrets.json');
  if (!existsSync(file)) {
    const made: KeptSecrets = {
      jwtSecret: randomBytes(48).toString('base64url'),
      jwtRefreshSecret: randomBytes(48).toString('base64url'),
      encryptionKey: randomBytes(24).toString('base64url'),
      postgresPassword: randomBytes(24).toString('base64url'),
    };
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, `${JSON.stringify(made, undefined, 2)}\n`, { mode: 0o600, flush: true });
    renameSync(draft, file);
  }
  return JSON.parse(readFileSync(file, 'utf8')) as KeptSecrets;
}
