import { readFileSync } from 'node:fs';

/** The OpenAPI document as it was generated; a test proves that it is fresh. */
export const readOpenApi = (): unknown =>
  JSON.parse(readFileSync(new URL('../generated/openapi.json', import.meta.url), 'utf8')) as unknown;
