import { Type } from 'typebox';
import { operation } from '../../contract.ts';
import { ownerNames } from '../../services.ts';
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

/** The answer to a readiness probe. */
export const Readiness = closed(
  {
    status: oneOf(['ready', 'unavailable']),
    checks: closed({ database: Check, broker: Check, cache: Check, services: Check }),
    services: Type.Optional(
      closed(Object.fromEntries(ownerNames.map((name) => [name, Check])), {
        description: 'Which services answer. Those of one process are there together.',
      }),
    ),
    engine: Type.Optional(
      Type.String({ description: 'Engine kind of profiles that name none: `web-js-engine` or `socket-engine`' }),
    ),
    voiceNotes: Type.Optional(
      Type.String({
        description: '`converted`: of other audio too, by ffmpeg. `ogg-opus`: they must be sent as Ogg with Opus',
      }),
    ),
  },
  { title: 'Readiness' },
);

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
    'Whether requests are to be sent here: 503 until the database, the broker and every service have been there once, and while draining. What goes away in between is named in `checks`, and requests that need it are answered 503 with `Retry-After`.',
  answers: {
    200: {
      body: Readiness,
      means: 'Requests are answered; `checks` names what is away.',
      example: { status: 'ready', checks, engine: 'socket-engine', voiceNotes: 'converted' },
    },
    503: {
      body: Readiness,
      means: 'The gateway is starting, `checks` names what it lacks, or it is stopping.',
      example: { status: 'unavailable', checks: { ...checks, database: 'down' } },
    },
  },
});
