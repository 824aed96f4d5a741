import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Writes the authority's certificate to the file named, or to a temporary one that goes with the simulator. */
export function authorityFile(pem: string, chosen: string | undefined): { path: string; remove(): void } {
  const path = chosen ?? join(mkdtempSync(join(tmpdir(), 'network-simulator-')), 'authority.pem');
  writeFileSync(path, pem);
  return { path, remove: () => chosen ?? rmSync(dirname(path), { recursive: true, force: true }) };
}
