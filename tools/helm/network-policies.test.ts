import { isDeepStrictEqual } from 'node:util';
import { expect, it } from '@jest/globals';
import { serviceNames } from '@messaging-gateway/contracts';
import { chartSettings, serviceVariables } from './chart-settings.ts';
import { reachesTheInternet } from './generated.ts';
import { describeWithHelm, least, rendered, type Rendered } from './helm.fixture.ts';

/** Every setting that names whom a process connects to, and the rule that lets it out; undefined: it connects to nobody. */
const peers: Readonly<Record<string, 'servers' | 'internet' | 'extraEgress' | undefined>> = {
  DATABASE_URL: 'servers',
  AMQP_URL: 'servers',
  CACHE_URL: 'servers',
  KAFKA_BROKERS: 'servers',
  OBJECT_STORE_ENDPOINT: 'servers',
  SMTP_URL: 'internet',
  OTP_FALLBACK_URL: 'internet',
  SOCKET_ENGINE_URL: 'internet',
  AI_BASE_URL: 'internet',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'extraEgress',
  ERROR_TRACKING_DSN: 'extraEgress',
  // Read by others, or listened on.
  PUBLIC_URL: undefined,
  ADMIN_PUBLIC_API_URL: undefined,
  API_HOST: undefined,
  HEALTH_HOST: undefined,
};

const server = { to: [{ ipBlock: { cidr: '10.1.0.0/16' } }] };
const collector = { to: [{ ipBlock: { cidr: '10.2.0.1/32' } }], ports: [{ port: 4318 }] };
const ingress = { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'ingress' } } };
const values = {
  ...least,
  networkPolicy: { enabled: true, servers: [server], extraEgress: [collector], ingressFrom: [ingress] },
  simulator: { enabled: true },
  backup: { enabled: true },
  topics: { job: { enabled: true } },
  migrations: { contract: true },
};

describeWithHelm('network policies', () => {
  const selectorOf = (policy: Rendered) => policy.spec.podSelector;
  const componentsOf = (policy: Rendered): string[] => {
    const { matchLabels, matchExpressions = [] } = selectorOf(policy);
    const [expression] = matchExpressions;
    return expression?.values ?? [matchLabels['app.kubernetes.io/component']];
  };
  const policiesOf = async (of: object = values): Promise<Map<string, Rendered>> => {
    const policies = (await rendered(of)).filter(({ kind }) => kind === 'NetworkPolicy');
    return new Map(policies.flatMap((policy) => componentsOf(policy).map((component) => [component, policy] as const)));
  };
  const isOpenToTheWorld = ({ spec }: Rendered): boolean => JSON.stringify(spec.egress).includes('"0.0.0.0/0"');

  it('know every setting that names whom a process connects to', () => {
    const naming = [...chartSettings.keys()].filter((name) =>
      /URLS?$|ENDPOINT$|BROKERS$|DSN$|HOST$|ADDRESS$/.test(name),
    );
    expect(naming.toSorted()).toEqual(Object.keys(peers).toSorted());
  });

  it('let each service out to what its settings name, and to the internet only who needs it', async () => {
    const policies = await policiesOf();
    const unguarded: string[] = [];
    for (const name of serviceNames) {
      const { config = [], required = [], secrets = [] } = serviceVariables.get(name) ?? {};
      const wanted = new Set([...config, ...required, ...secrets].map((variable) => peers[variable]));
      const policy = policies.get(name);
      expect(policy?.spec.policyTypes).toEqual(['Ingress', 'Egress']);
      const given = {
        servers: policy?.spec.egress.some((rule: object) => isDeepStrictEqual(rule, server)),
        extraEgress: policy?.spec.egress.some((rule: object) => isDeepStrictEqual(rule, collector)),
        internet: policy !== undefined && isOpenToTheWorld(policy),
      };
      expect([name, given]).toEqual([
        name,
        {
          servers: wanted.has('servers'),
          extraEgress: wanted.has('extraEgress'),
          internet: wanted.has('internet') || reachesTheInternet(name),
        },
      ]);
      if (wanted.has('internet') && !reachesTheInternet(name)) unguarded.push(name);
    }
    // A setting that names an address in the world belongs to what guards or makes such connections.
    expect(unguarded).toEqual([]);
  });

  it('let everybody resolve names who connects to somebody: by pods, by a cache on the node, at both ports', async () => {
    const { simulator, ...others } = Object.fromEntries(await policiesOf());
    expect(simulator?.spec.egress).toBeUndefined();
    for (const policy of Object.values(others)) {
      const names = policy.spec.egress.find((rule: { ports?: { port: number }[] }) => rule.ports?.[0]?.port === 53);
      const ports = names.ports.map((one: { port: number; protocol: string }) => `${one.port} ${one.protocol}`);
      expect(ports).toEqual(['53 UDP', '53 TCP', '5353 UDP', '5353 TCP']);
      expect(names.to).toEqual([{ namespaceSelector: {} }, { ipBlock: { cidr: '169.254.0.0/16' } }]);
    }
  });

  it('close every pod of the chart: services, Jobs, the test, the simulated network', async () => {
    const objects = await rendered(values);
    const pods = objects.flatMap(({ kind, metadata, spec }) => {
      if (kind === 'Pod') return [metadata.labels];
      const template = kind === 'CronJob' ? spec.jobTemplate.spec.template : spec?.template;
      return template?.metadata?.labels === undefined ? [] : [template.metadata.labels];
    });
    const covered = new Set((await policiesOf()).keys());
    const there = new Set(pods.map((labels) => labels['app.kubernetes.io/component']));
    expect([...there].filter((component) => !covered.has(component))).toEqual([]);
    expect([...there]).toEqual(
      expect.arrayContaining(['migrate', 'contract', 'topics', 'backup', 'test', 'simulator']),
    );
  });

  it('let Jobs out before the rest of the release is there, and to servers only', async () => {
    const jobs = (await policiesOf()).get('migrate');
    expect(jobs?.metadata.annotations).toMatchObject({
      'helm.sh/hook': 'pre-install,pre-upgrade',
      'helm.sh/hook-weight': '-5',
    });
    expect(jobs?.spec.ingress).toBeUndefined();
    expect(jobs && isOpenToTheWorld(jobs)).toBe(false);
    expect(jobs?.spec.egress).toEqual(expect.arrayContaining([server, collector]));
  });

  it('let `helm test` in beside those who may ask', async () => {
    const policies = await policiesOf();
    const [http] = policies.get('gateway')?.spec.ingress ?? [];
    expect(http.from).toEqual([ingress, { podSelector: selectorOf(policies.get('test') as Rendered) }]);
    const open = (await policiesOf({ ...values, networkPolicy: { enabled: true, servers: [server] } })).get('gateway');
    expect(open?.spec.ingress[0].from).toBeUndefined();
  });
});
