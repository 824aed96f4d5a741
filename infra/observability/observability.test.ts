import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { documentedMetrics, type MetricRow } from './documented-metrics.ts';
import { composeFile, requiredVariables } from '../service-image/compose-file.ts';
import { selectedBy } from './queries.ts';

const read = (path: string): string => readFileSync(fileURLToPath(new URL(path, import.meta.url)), 'utf8');

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: Readonly<Record<string, string>>;
  readonly labels: Readonly<Record<string, string>>;
}
interface Panel {
  readonly title: string;
  readonly type: string;
  readonly targets?: readonly { readonly expr: string }[];
}

const rules = (parse(read('alerts.yml')) as { groups: { rules: Rule[] }[] }).groups.flatMap((group) => group.rules);
const dashboard = JSON.parse(read('grafana/dashboards/messaging-gateway.json')) as { panels: Panel[] };
const queries = [
  ...rules.map(({ alert, expr }) => ({ where: alert, expr })),
  ...dashboard.panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ where: title, expr }))),
];

/** Prometheus adds these to every sample. */
const targetLabels = ['job', 'instance', 'le'];
/** Made by Prometheus, or by prom-client of the process. */
const ofTheProcess = /^(up|process_|nodejs_)/;
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-');

describe('alerts and dashboard', () => {
  let metrics: ReadonlyMap<string, MetricRow>;
  beforeAll(() => {
    metrics = new Map(documentedMetrics(read('../../docs/metrics.md')).map((row) => [row.name, row]));
  });
  const rowOf = (metric: string): MetricRow | undefined =>
    metrics.get(metric) ?? metrics.get(metric.replace(/_(bucket|sum|count)$/, ''));

  it.each(queries)('$where asks for what exists: $expr', ({ expr }) => {
    const selected = selectedBy(expr);
    expect(selected).not.toEqual([]);
    for (const { metric, labels } of selected) {
      if (ofTheProcess.test(metric)) continue;
      const row = rowOf(metric);
      expect([metric, row?.type === 'histogram']).toEqual([metric, /_(bucket|sum|count)$/.test(metric)]);
      const known = selected.flatMap((one) => rowOf(one.metric)?.labels ?? []);
      expect([...known, ...targetLabels]).toEqual(expect.arrayContaining([...labels]));
    }
  });

  it('finds what is not PromQL', () => expect(() => selectedBy('sum(rate(a[5m])')).toThrow('Not PromQL'));

  it('shows every metric of the product on the dashboard', () => {
    const shown = new Set(queries.flatMap(({ expr }) => selectedBy(expr)).map(({ metric }) => rowOf(metric)?.name));
    expect([...metrics.keys()].filter((name) => !shown.has(name))).toEqual([]);
  });

  it('says of each alert how bad it is, what it means, and where it stands what to do', () => {
    const headings = [...read('../../docs/operations.md').matchAll(/^#+ (.*)$/gm)].map((match) =>
      anchorOf(match[1] ?? ''),
    );
    for (const { alert, annotations, labels } of rules) {
      expect([alert, labels['severity']]).toEqual([alert, expect.stringMatching(/^(critical|warning|info)$/)]);
      expect([alert, annotations]).toEqual([
        alert,
        { summary: expect.any(String), description: expect.any(String), runbook: expect.any(String) },
      ]);
      const [file, anchor = ''] = (annotations['runbook'] ?? '').split('#');
      expect([alert, file, headings.includes(anchor)]).toEqual([alert, 'docs/operations.md', true]);
    }
  });

  it('scrapes each container where it listens, under the job that alerts and dashboard ask for', () => {
    const { services } = composeFile(Object.fromEntries(requiredVariables.map((name) => [name, 'secret'])));
    const ofTheImage = /^ENV API_PORT=.*\bHEALTH_PORT=(\d+)/m.exec(read('../service.Dockerfile'))?.[1];
    const listening = Object.entries(services)
      // Who serves the pages alone has no metrics.
      .filter(([name, { build, profiles }]) => build !== undefined && profiles === undefined && name !== 'admin')
      .map(([name, { environment }]) => [name, Number(environment?.['HEALTH_PORT'] ?? ofTheImage)]);
    const { scrape_configs: jobs } = parse(read('prometheus.yml')) as {
      scrape_configs: { job_name: string; dns_sd_configs: { names: string[]; port: number }[] }[];
    };
    const scraped = jobs.flatMap(({ dns_sd_configs: targets }) => targets.map(({ names, port }) => [names[0], port]));
    expect(Object.fromEntries(scraped)).toEqual(Object.fromEntries(listening));
    const asked = queries.flatMap(({ expr }) => [...expr.matchAll(/job="([^"]*)"/g)].map((match) => match[1]));
    expect([...new Set([...asked, ...jobs.map(({ job_name: name }) => name)])]).toEqual(['messaging-gateway']);
  });

  it('runs beside the installation by a compose file that follows the specification', () => {
    const valid = new Ajv2020({ strict: false, validateFormats: false }).compile(
      JSON.parse(read('../service-image/compose-spec.schema.json')) as object,
    );
    const compose = parse(read('docker-compose.yml')) as {
      services: Record<string, { ports: string[]; volumes?: string[] }>;
    };
    valid(compose);
    expect(valid.errors).toBeNull();
    for (const { ports, volumes = [] } of Object.values(compose.services)) {
      expect(ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
      const files = volumes.map((mount) => mount.split(':')[0] ?? '').filter((source) => source.startsWith('.'));
      expect(files.filter((file) => !existsSync(new URL(`../../${file}`, import.meta.url)))).toEqual([]);
    }
  });
});
