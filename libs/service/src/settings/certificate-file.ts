import { readFileSync } from 'node:fs';

/** @returns the certificates in a file. @throws Error when it is not a PEM file with some */
export function readCertificates(path: string): string {
  const text = readFileSync(path, 'utf8');
  if (!text.includes('BEGIN CERTIFICATE')) throw new Error('must be the path of a PEM file with certificates');
  return text;
}
