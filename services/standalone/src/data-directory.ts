import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
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
 *
 * @throws Error when there is a database and no secrets
 */
export function openDataDirectory(directory: string): KeptSecrets {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  close(directory);
  const file = secretsFile(directory);
  if (!existsSync(file)) {
    if (hasDatabase(directory))
      throw new Error(
        `${file} is not there, and without it the database beside it cannot be opened: put it back from your backup, or set DATA_DIR to another folder.`,
      );
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
  return read(file);
}

/** Whether there is an embedded database. */
export const hasDatabase = (directory: string): boolean => existsSync(join(directory, 'postgres', 'cluster'));

/** Folders of earlier versions were open to others. One that everybody shares (`/tmp`), or another's, is left as it is. */
function close(directory: string): void {
  const { mode, uid } = statSync(directory);
  const isShared = (mode & 0o1000) !== 0 || uid !== process.getuid?.();
  if (!isShared && (mode & 0o077) !== 0) chmodSync(directory, 0o700);
}

export const secretsFile = (directory: string): string => join(directory, 'secrets.json');

/** The secrets of a data folder, if it has some; nothing is made. */
export function keptSecrets(directory: string): KeptSecrets | undefined {
  const file = secretsFile(directory);
  return existsSync(file) ? read(file) : undefined;
}

const read = (file: string): KeptSecrets => JSON.parse(readFileSync(file, 'utf8')) as KeptSecrets;
