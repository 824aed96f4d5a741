import { Type } from 'typebox';
import { operation } from '../../contract.ts';
import { closed } from '../../shapes.ts';

const Place = Type.String({ description: 'Where it is: absolute with `PUBLIC_URL`, else below the host of the API' });

/** Name, version and links of a gateway, told without a credential. */
export const Start = closed(
  {
    name: Type.String(),
    version: Type.String(),
    links: closed({
      api: Place,
      documentation: Place,
      openapi: Place,
      asyncapi: Place,
      health: Place,
      ready: Place,
      register: Place,
    }),
  },
  { title: 'Start' },
);

export const GetStart = operation({
  name: 'GetStart',
  owner: 'gateway',
  method: 'GET',
  path: '/',
  access: 'public',
  tag: 'Health',
  summary: 'What there is',
  means:
    'Links to the documentation, the documents for machines and the probes. Beside the API, `/` shows the same to browsers as a page that says how to begin.',
  answers: {
    200: {
      body: Start,
      means: 'The links.',
      example: {
        name: 'Messaging Gateway',
        version: '1.0.0',
        links: {
          api: '/api/v1',
          documentation: '/api/docs',
          openapi: '/api/docs-json',
          asyncapi: '/api/asyncapi.json',
          health: '/api/v1/health',
          ready: '/api/v1/health/ready',
          register: '/api/v1/auth/register',
        },
      },
    },
  },
});
