import { Type } from 'typebox';
import { operation } from '../../contract.ts';
import { closed, oneOf } from '../../shapes.ts';

export const Health = operation({
  name: 'Health',
  owner: 'gateway',
  method: 'GET',
  path: '/health',
  access: 'public',
  tag: 'Health',
  summary: 'Liveness probe',
  means: 'Answers as long as the process serves HTTP. Says nothing about what lies behind it.',
  answers: {
    200: {
      body: closed({
        status: Type.Literal('ok'),
        version: Type.String(),
        uptime: Type.Number({ minimum: 0, description: 'Seconds' }),
      }),
      means: 'The process is alive.',
      example: { status: 'ok', version: '1.0.0', uptime: 12.5 },
    },
  },
});

const Check = oneOf(['up', 'down']);

/** What a readiness probe is answered. */
export const Readiness = closed({
  status: oneOf(['ready', 'unavailable']),
  checks: closed({ database: Check, broker: Check, cache: Check, services: Check }),
  services: Type.Optional(
    closed(
      { identity: Check, sessions: Check, outbound: Check, inbox: Check, webhooks: Check, insights: Check },
      { description: 'Which services answer, where each is a process of its own.' },
    ),
  ),
  engine: Type.Optional(
    Type.String({ description: 'Engine kind of profiles that name none: `web-js-engine` or `socket-engine`' }),
  ),
});

const checks = { database: 'up', broker: 'up', cache: 'up', services: 'up' };

export const HealthReady = operation({
  name: 'HealthReady',
  owner: 'gateway',
  method: 'GET',
  path: '/health/ready',
  access: 'public',
  tag: 'Health',
  summary: 'Readiness probe',
  means:
    'Whether requests can be answered: the database, the broker and every service. 503 while starting and while draining. Without the cache requests are answered too, only slower.',
  answers: {
    200: {
      body: Readiness,
      means: 'Everything that is needed is there.',
      example: { status: 'ready', checks, engine: 'socket-engine' },
    },
    503: {
      body: Readiness,
      means: 'Something that is needed is not there; `checks` names it.',
      example: { status: 'unavailable', checks: { ...checks, database: 'down' } },
    },
  },
});
