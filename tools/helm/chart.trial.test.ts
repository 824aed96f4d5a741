import { expect, it } from '@jest/globals';
import { serviceNames } from '@messaging-gateway/contracts';
import { serviceVariables } from './chart-settings.ts';
import { describeWithHelm, least, lint, rendered, type Rendered } from './helm.fixture.ts';

const deployments = (objects: readonly Rendered[]): Rendered[] => objects.filter(({ kind }) => kind === 'Deployment');
const componentOf = ({ metadata }: Rendered): string => metadata.labels['app.kubernetes.io/component'] ?? '';
const podOf = (object: Rendered) => object.spec.template.spec;
const of = (objects: readonly Rendered[], kind: string, name: string): Rendered => {
  const found = objects.find((object) => object.kind === kind && object.metadata.name === name);
  if (found === undefined) throw new Error(`no ${kind} ${name}`);
  return found;
};
const environmentOf = (object: Rendered): Map<string, Record<string, unknown>> =>
  new Map(podOf(object).containers[0].env.map((row: { name: string }) => [row.name, row]));
const withConfig = (config: object, others: object = {}): object => ({
  ...least,
  ...others,
  config: { ...least.config, ...config },
});

const closed = { enabled: true, servers: [{ to: [{ ipBlock: { cidr: '10.1.0.0/16' } }] }] };

/** Faults that the templates refuse, and not the schema: `helm lint` passes over them. */
const onlyRendered = new Set([
  'both places of media',
  'ingress.hosts',
  'httpRoute.parentRefs',
  'networkPolicy.servers',
  'networkPolicy.extraEgress',
  'config.SMTP_FROM',
  'paused',
  'autoscaling.prometheus.serverAddress',
  'maxReplicas',
]);

describeWithHelm('the chart', () => {
  it('renders with the least values, and lints', async () => {
    const objects = await rendered(least);
    expect(deployments(objects).map(componentOf).toSorted()).toEqual([...serviceNames].toSorted());
    for (const { metadata } of objects) expect(metadata.labels['app.kubernetes.io/instance']).toBe('shop');
    const service = of(objects, 'Service', 'shop-gateway');
    expect(service.spec.ports).toEqual([expect.objectContaining({ name: 'http', targetPort: 'http' })]);
    const theirs = [
      'ServiceMonitor',
      'PrometheusRule',
      'ScaledObject',
      'HTTPRoute',
      'HorizontalPodAutoscaler',
      'NetworkPolicy',
    ];
    expect(objects.filter(({ kind }) => theirs.includes(kind))).toEqual([]);
    await expect(lint(least)).resolves.toContain('0 chart(s) failed');
  });

  it.each([
    ['existingSecret', { ...least, existingSecret: '' }],
    ['config.KAFKA_BROKERS', withConfig({ KAFKA_BROKERS: '' })],
    ['media.existingClaim', withConfig({ OBJECT_STORE_ENDPOINT: '' })],
    ['config.OBJECT_STORE_ENDPOINT', withConfig({ OBJECT_STORE_ENDPOINT: '' })],
    ['both places of media', { ...least, media: { existingClaim: 'media' } }],
    ['RATE_LIMIT_GLOBL', withConfig({ RATE_LIMIT_GLOBL: '1/1m' })],
    ['DATABASE_URL', withConfig({ DATABASE_URL: 'postgresql://a' })],
    ['API_PORT', withConfig({ API_PORT: 80 })],
    ['RATE_LIMIT_GLOBAL', withConfig({ RATE_LIMIT_GLOBAL: 'many' })],
    ['PROFILES_PER_PROCESS', withConfig({ PROFILES_PER_PROCESS: 'x' })],
    ['WEBHOOK_RETRY_ATTEMPTS', withConfig({ WEBHOOK_RETRY_ATTEMPTS: -1 })],
    ['LOG_LEVEL', withConfig({ LOG_LEVEL: 'loud' })],
    ['replcas', { ...least, services: { gateway: { replcas: 2 } } }],
    ['imag', { ...least, imag: {} }],
    ['config.TRUST_PROXY', { ...least, ingress: { enabled: true, hosts: ['a.example.com'] } }],
    [
      'config.TRUST_PROXY',
      withConfig({ TRUST_PROXY: false }, { httpRoute: { enabled: true, parentRefs: [{ name: 'g' }] } }),
    ],
    ['ingress.hosts', withConfig({ TRUST_PROXY: 1 }, { ingress: { enabled: true } })],
    ['httpRoute.parentRefs', withConfig({ TRUST_PROXY: 1 }, { httpRoute: { enabled: true } })],
    ['networkPolicy.servers', { ...least, networkPolicy: { enabled: true } }],
    [
      'networkPolicy.extraEgress',
      withConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://traces:4318' }, { networkPolicy: closed }),
    ],
    ['secrets.AMQP_URL', { ...least, secrets: { AMQP_URL: { name: 'rabbit' } } }],
    [
      'config.SMTP_FROM',
      withConfig({ SMTP_FROM: 'a@example.com' }, { secrets: { SMTP_FROM: { name: 'a', key: 'b' } } }),
    ],
    ['paused', { ...least, restore: { enabled: true } }],
    [
      'autoscaling.prometheus.serverAddress',
      { ...least, autoscaling: { kind: 'keda' }, services: { gateway: { autoscaling: { enabled: true } } } },
    ],
    ['maxReplicas', { ...least, services: { inbox: { autoscaling: { enabled: true, maxReplicas: 13 } } } }],
  ])('refuses what cannot work, and names %s', async (name, values) => {
    const last = name === 'both places of media' ? 'exclude each other' : (name.split('.').at(-1) ?? name);
    await expect(rendered(values)).rejects.toThrow(last);
    await expect(onlyRendered.has(name) ? rendered(values) : lint(values)).rejects.toThrow(last);
  });

  it('takes every value of config as a text, numbers and flags as such too', async () => {
    const plain = { RATE_LIMIT_MAX: 1_000_000, DEMO_MODE: true, KAFKA_RETENTION_DAYS: 0.5, SHUTDOWN_DELAY_SECONDS: 10 };
    const texts = Object.fromEntries(Object.entries(plain).map(([name, value]) => [name, String(value)]));
    const [one, other] = await Promise.all([rendered(withConfig(plain)), rendered(withConfig(texts))]);
    expect(one).toEqual(other);
    const gateway = of(one, 'Deployment', 'shop-gateway');
    expect(environmentOf(gateway).get('RATE_LIMIT_MAX')).toEqual({ name: 'RATE_LIMIT_MAX', value: '1000000' });
    expect(environmentOf(gateway).get('DEMO_MODE')).toEqual({ name: 'DEMO_MODE', value: 'true' });
    expect(podOf(gateway).terminationGracePeriodSeconds).toBe(28 + 5 + 5 + 10);
  });

  it('gives each pod the variables of its service, and no others', async () => {
    const everything = Object.fromEntries(
      [...serviceVariables.values()].flatMap(({ config }) => config.map((name) => [name, undefined])),
    );
    const config = {
      PUBLIC_URL: 'https://a.example.com',
      SMTP_FROM: 'a@example.com',
      AI_MODEL: 'm',
      LOG_LEVEL: 'warn',
    };
    for (const name of Object.keys(config)) expect(everything).toHaveProperty(name);
    const objects = await rendered(withConfig(config));
    for (const object of deployments(objects)) {
      const {
        config: names = [],
        required = [],
        secrets = [],
      } = serviceVariables.get(componentOf(object) as 'gateway') ?? {};
      const given = [...environmentOf(object).keys()].filter((name) => name !== 'ENGINE_HOST');
      const set = names.filter((name) => name in { ...least.config, ...config });
      expect([componentOf(object), given.toSorted()]).toEqual([
        componentOf(object),
        [...set, ...required, ...secrets].toSorted(),
      ]);
    }
  });

  it('keeps secrets apart: tokens are for the gateway and identity, the key is not for the gateway', async () => {
    const objects = await rendered(least);
    const held = ['JWT_SECRET', 'JWT_REFRESH_SECRET', 'ENCRYPTION_KEY'];
    const who = Object.fromEntries(
      deployments(objects).map((object) => [
        componentOf(object),
        held.filter((name) => environmentOf(object).has(name)),
      ]),
    );
    expect(who).toEqual(
      Object.fromEntries(
        serviceNames.map((name) => [
          name,
          name === 'gateway' ? ['JWT_SECRET'] : name === 'identity' ? held : ['ENCRYPTION_KEY'],
        ]),
      ),
    );
    expect(objects.filter(({ kind }) => kind === 'Secret')).toEqual([]);
  });

  it('reads each variable from the Secret that is named for it', async () => {
    const secrets = {
      DATABASE_URL: { name: 'shop-app', key: 'uri' },
      OBJECT_STORE_ACCESS_KEY: { name: 'media', key: 'id' },
    };
    const gateway = of(await rendered({ ...least, secrets }), 'Deployment', 'shop-gateway');
    const from = (name: string) =>
      (environmentOf(gateway).get(name) as { valueFrom: { secretKeyRef: unknown } }).valueFrom.secretKeyRef;
    expect(from('DATABASE_URL')).toEqual({ name: 'shop-app', key: 'uri' });
    expect(from('OBJECT_STORE_ACCESS_KEY')).toEqual({ name: 'media', key: 'id' });
    expect(from('AMQP_URL')).toEqual({ name: 'secrets', key: 'AMQP_URL' });
    expect(from('BROKER_SECRET')).toEqual({ name: 'secrets', key: 'BROKER_SECRET', optional: true });
  });

  it('replaces pods one by one, gently, and confines them', async () => {
    for (const object of deployments(await rendered(least))) {
      expect(object.spec.strategy.rollingUpdate).toEqual({ maxSurge: 1, maxUnavailable: 0 });
      const pod = podOf(object);
      expect(pod).toMatchObject({ automountServiceAccountToken: false, enableServiceLinks: false });
      expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
      const [container] = pod.containers;
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(container.livenessProbe.httpGet.path).toBe('/health');
      expect(container.startupProbe.httpGet.path).toBe('/health');
      expect(container.args).toEqual([`services/${componentOf(object)}/src/main.ts`]);
      expect(container.resources.limits).not.toHaveProperty('cpu');
      expect(pod.terminationGracePeriodSeconds).toBe(componentOf(object) === 'gateway' ? 38 : 33);
      expect(pod.topologySpreadConstraints).toHaveLength(2);
      expect(pod.tolerations.map(({ tolerationSeconds }: { tolerationSeconds: number }) => tolerationSeconds)).toEqual([
        30, 30,
      ]);
    }
  });

  it('has a budget for what has several replicas, and none for what has one', async () => {
    const objects = await rendered({ ...least, services: { inbox: { replicas: 1 }, insights: { replicas: 3 } } });
    const budgets = objects.filter(({ kind }) => kind === 'PodDisruptionBudget').map(componentOf);
    expect(budgets).toEqual(expect.arrayContaining(['gateway', 'insights']));
    expect(budgets).not.toContain('inbox');
  });

  it('holds profiles in the gateway with engineHost api', async () => {
    const objects = await rendered({ ...least, engineHost: 'api' });
    expect(deployments(objects).map(componentOf)).not.toContain('sessions');
    const environment = environmentOf(of(objects, 'Deployment', 'shop-gateway'));
    expect(environment.get('ENGINE_HOST')).toEqual({ name: 'ENGINE_HOST', value: 'api' });
    for (const name of ['ENCRYPTION_KEY', 'JWT_SECRET']) expect(environment.has(name)).toBe(true);
  });

  it('mounts a claim for media where there is no object store', async () => {
    const { OBJECT_STORE_ENDPOINT: _, OBJECT_STORE_BUCKET: __, ...config } = least.config;
    const objects = await rendered({ ...least, config, media: { existingClaim: 'shared' } });
    for (const object of deployments(objects)) {
      expect(podOf(object).volumes).toContainEqual({ name: 'media', persistentVolumeClaim: { claimName: 'shared' } });
      expect(podOf(object).containers[0].volumeMounts).toContainEqual({ name: 'media', mountPath: '/data/media' });
      // A Secret that also holds the key of an object store is no reason for a pod not to start.
      expect([...environmentOf(object).keys()].filter((name) => name.startsWith('OBJECT_STORE_'))).toEqual([]);
    }
  });

  it('migrates before everything else, with the database alone', async () => {
    const job = of(await rendered(least), 'Job', 'shop-migrate');
    expect(job.metadata.annotations).toMatchObject({ 'helm.sh/hook': 'pre-install,pre-upgrade' });
    const pod = podOf(job);
    expect(pod.containers[0].args).toEqual(['messaging-gateway', 'migrate']);
    expect([...environmentOf(job).keys()]).toEqual(['DATABASE_URL']);
  });

  it('stands still while it is paused', async () => {
    const objects = await rendered({ ...least, paused: true, restore: { enabled: true, backup: 'today' } });
    for (const { spec } of deployments(objects)) expect(spec.replicas).toBe(0);
    const restore = of(objects, 'Job', 'shop-restore');
    expect(podOf(restore).containers[0].args).toEqual(expect.arrayContaining(['restore', '--from-store', 'today']));
    expect(objects.filter(({ metadata }) => metadata.name === 'shop-migrate')).toEqual([]);
  });

  it('renders everything that is optional', async () => {
    const scaling = Object.fromEntries(serviceNames.map((name) => [name, { autoscaling: { enabled: true } }]));
    const all = withConfig(
      { TRUST_PROXY: 1 },
      {
        services: scaling,
        autoscaling: { kind: 'keda', prometheus: { serverAddress: 'http://prometheus:9090' } },
        ingress: { enabled: true, hosts: ['a.example.com'] },
        httpRoute: { enabled: true, parentRefs: [{ name: 'gate' }], hostnames: ['a.example.com'] },
        networkPolicy: { enabled: true, servers: [{ to: [{ namespaceSelector: {} }] }] },
        metrics: {
          serviceMonitor: { enabled: true },
          prometheusRule: { enabled: true, runbookBase: 'https://example.com/x' },
          dashboard: { enabled: true },
        },
        backup: { enabled: true },
        topics: { job: { enabled: true } },
        simulator: { enabled: true },
        migrations: { contract: true },
      },
    );
    const objects = await rendered(all);
    const scaled = objects.filter(({ kind }) => kind === 'ScaledObject').map(componentOf);
    expect(scaled.toSorted()).toEqual([...serviceNames].toSorted());
    const rule = objects.find(({ kind }) => kind === 'PrometheusRule');
    expect(rule?.spec.groups[0].rules[0].annotations.runbook_url).toMatch(
      /^https:\/\/example\.com\/x\/docs\/operations\.md#/,
    );
    expect(JSON.stringify(rule)).toContain('{{ $labels.instance }}');
    expect(of(objects, 'CronJob', 'shop-backup').spec.concurrencyPolicy).toBe('Forbid');
    await expect(lint(all)).resolves.toContain('0 chart(s) failed');
  });
});
