import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Secured } from '../server.ts';

/** Writes them below the folder of a server. @returns their paths */
export function tlsFiles(folder: string, secured: Secured): { key: string; certificate: string; authority: string } {
  const write = (name: string, content: string, mode: number): string => {
    const path = join(folder, name);
    writeFileSync(path, content, { mode });
    return path;
  };
  return {
    key: write('key.pem', secured.key, 0o600),
    certificate: write('certificate.pem', secured.certificate, 0o644),
    authority: write('authority.pem', secured.authority, 0o644),
  };
}
