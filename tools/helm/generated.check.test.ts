import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { serviceNames } from '@messaging-gateway/contracts';
import { parse } from 'yaml';
import { chart, generatedFiles, reachesTheInternet } from './generated.ts';

const read = (path: string): string => readFileSync(fileURLToPath(new URL(path, chart)), 'utf8');

describe('a generated part of the chart', () => {
  it.each([...generatedFiles()])('%s is fresh (npm run helm:generate)', (path, content) => {
    expect(read(path)).toBe(content);
  });

  it('has values for the pods of each service', () => {
    const values = parse(read('values.yaml')) as { readonly services: Record<string, unknown> };
    expect(Object.keys(values.services)).toEqual([...serviceNames]);
  });

  it('has the version of the project', () => {
    const { version } = JSON.parse(read('../../package.json')) as { readonly version: string };
    expect(parse(read('Chart.yaml'))).toMatchObject({ appVersion: version });
  });

  it('lets those reach the internet that open connections to addresses of tenants, or to the network', () => {
    const those = serviceNames.filter(reachesTheInternet);
    expect(those).toEqual(expect.arrayContaining(['identity', 'sessions', 'outbound', 'webhooks', 'automation']));
    expect(those).not.toContain('gateway');
    expect(those).not.toContain('inbox');
  });
});
