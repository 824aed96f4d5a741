import { serviceNames } from '@messaging-gateway/contracts';
import { chartSettings } from './chart-settings.ts';
import { schemaOfSetting } from './config-schema.ts';

type Schema = Readonly<Record<string, unknown>>;

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const count = { type: 'integer', minimum: 0 } as const;
const seconds = { type: 'integer', minimum: 0 } as const;
const texts = { type: 'object', additionalProperties: { type: 'string' } } as const;
/** Values that Kubernetes itself checks: affinity, volumes and the like. */
const asKubernetes = { type: 'object' } as const;
const listOf = (items: Schema): Schema => ({ type: 'array', items });
const oneOf = (...words: string[]): Schema => ({ enum: words });
const closed = (properties: Readonly<Record<string, Schema>>, required: readonly string[] = []): Schema => ({
  type: 'object',
  additionalProperties: false,
  properties,
  ...(required.length > 0 && { required }),
});

const quantities = { type: 'object', additionalProperties: { type: ['string', 'number'] } } as const;
const resources = closed({ requests: quantities, limits: quantities, claims: listOf(asKubernetes) });
const podFields = {
  annotations: texts,
  labels: texts,
  nodeSelector: texts,
  tolerations: listOf(asKubernetes),
  affinity: asKubernetes,
  priorityClassName: text,
  extraEnv: listOf(asKubernetes),
  extraEnvFrom: listOf(asKubernetes),
  extraVolumes: listOf(asKubernetes),
  extraVolumeMounts: listOf(asKubernetes),
  lostNodeSeconds: seconds,
  minReadySeconds: seconds,
} as const;
const autoscaling = closed({
  enabled: flag,
  minReplicas: { type: 'integer', minimum: 1 },
  maxReplicas: { type: 'integer', minimum: 1 },
  target: { type: 'number', exclusiveMinimum: 0 },
});
const service = closed({ ...podFields, replicas: count, resources, autoscaling });
const job = { enabled: flag, annotations: texts } as const;

const given = { type: 'string', minLength: 1 } as const;

/** A variable that must be known, from `config` or from a Secret of its own. */
const oneGiven = (name: string): Schema => ({
  if: { properties: { secrets: { required: [name] } } },
  else: { properties: { config: { required: [name], properties: { [name]: given } } } },
});

/** Schema of `values.yaml`: closed, but for values that Kubernetes checks itself, and for `global`. */
export function valuesSchema(): Schema {
  const variables = [...chartSettings];
  const isSecret = (variable: string): boolean => chartSettings.get(variable)?.secret === true;
  const image = { repository: { type: 'string', minLength: 1 }, tag: text } as const;
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Values of messaging-gateway',
    ...closed({
      image: closed({
        ...image,
        digest: { type: 'string', pattern: '^(sha256:[0-9a-f]{64})?$' },
        pullPolicy: oneOf('Always', 'IfNotPresent', 'Never'),
      }),
      imagePullSecrets: listOf(closed({ name: text }, ['name'])),
      fullnameOverride: text,
      existingSecret: { type: 'string', minLength: 1 },
      secrets: closed(
        Object.fromEntries(variables.map(([name]) => [name, closed({ name: text, key: text }, ['name', 'key'])])),
      ),
      config: closed(
        Object.fromEntries(
          variables.filter(([name]) => !isSecret(name)).map(([name, row]) => [name, schemaOfSetting(row)]),
        ),
      ),
      engineHost: oneOf('worker', 'api'),
      media: closed({ existingClaim: text }),
      paused: flag,
      serviceAccountName: text,
      podDefaults: closed(podFields),
      services: closed(Object.fromEntries(serviceNames.map((name) => [name, service]))),
      autoscaling: closed({ kind: oneOf('hpa', 'keda'), prometheus: closed({ serverAddress: text }) }),
      service: closed({
        type: oneOf('ClusterIP', 'NodePort', 'LoadBalancer'),
        port: { type: 'integer', minimum: 1, maximum: 65_535 },
        annotations: texts,
      }),
      ingress: closed({
        enabled: flag,
        className: text,
        annotations: texts,
        hosts: listOf(text),
        tls: listOf(asKubernetes),
      }),
      httpRoute: closed({
        enabled: flag,
        parentRefs: listOf(asKubernetes),
        hostnames: listOf(text),
        annotations: texts,
        timeouts: closed({ request: text, backendRequest: text }),
      }),
      podDisruptionBudgets: closed({ enabled: flag }),
      networkPolicy: closed({
        enabled: flag,
        ingressFrom: listOf(asKubernetes),
        metricsFrom: listOf(asKubernetes),
        servers: listOf(asKubernetes),
        dns: { ...listOf(asKubernetes), minItems: 1 },
        extraEgress: listOf(asKubernetes),
      }),
      metrics: closed({
        serviceMonitor: closed({ enabled: flag, interval: text, labels: texts }),
        prometheusRule: closed({ enabled: flag, labels: texts, runbookBase: text }),
        dashboard: closed({ enabled: flag, labels: texts, annotations: texts }),
      }),
      migrations: closed({ job: closed({ ...job, hook: flag, activeDeadlineSeconds: seconds }), contract: flag }),
      topics: closed({ job: closed(job) }),
      backup: closed({
        enabled: flag,
        schedule: text,
        keep: { type: 'integer', minimum: 1 },
        scratch: text,
        activeDeadlineSeconds: seconds,
      }),
      restore: closed({ enabled: flag, backup: { type: 'string', minLength: 1 } }),
      tests: closed({ patienceSeconds: { type: 'integer', minimum: 1 } }),
      simulator: closed({ enabled: flag, image: closed(image), resources }),
      extraObjects: listOf(asKubernetes),
      global: { type: 'object' },
    }),
    allOf: [
      oneGiven('KAFKA_BROKERS'),
      {
        anyOf: [
          { properties: { media: { required: ['existingClaim'], properties: { existingClaim: given } } } },
          oneGiven('OBJECT_STORE_ENDPOINT'),
        ],
      },
      ...['ingress', 'httpRoute'].map((way) => ({
        if: { properties: { [way]: { properties: { enabled: { const: true } } } } },
        then: {
          properties: {
            config: {
              required: ['TRUST_PROXY'],
              properties: { TRUST_PROXY: { not: { enum: ['', 'false', '0', false, 0] } } },
            },
          },
        },
      })),
    ],
  };
}
