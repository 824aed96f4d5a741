import type { ServerResponse } from 'node:http';
import { chunk, json, type AskedBody } from './answering.ts';

/**
 * Ways to go wrong. `hanging`: no answer at all; `stalling`: begins and stops in the middle; `cut-off`: the connection ends in the middle; `nonsense`:
 * no JSON; `endless`: never ends; `empty`: JSON without a choice.
 */
export type Fault = keyof typeof faults;

type Wrong = (response: ServerResponse, body: AskedBody) => void;

const refusing =
  (status: number, headers: Readonly<Record<string, string>> = {}): Wrong =>
  (response) =>
    void response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify({ error: { message: `The provider says ${status}.` } }));

const begin = (response: ServerResponse, body: AskedBody): void => {
  const isStream = body.stream === true;
  response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' });
  response.write(isStream ? piece(body) : '{"choices":[{"message":{"content":"begun');
};

const piece = (body: AskedBody): string =>
  `data: ${chunk(body, { choices: [{ index: 0, delta: { content: 'begun ' } }] })}\n\n`;

export const faults = {
  hanging: () => undefined,
  stalling: begin,
  'cut-off': (response, body) => {
    begin(response, body);
    // What was written has left by then.
    response.write(' ', () => response.destroy());
  },
  nonsense: (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('<html>no'),
  empty: (response) => json(response, { choices: [] }),
  endless: (response, body) => {
    begin(response, body);
    const more = body.stream === true ? piece(body).repeat(200) : 'word '.repeat(5000);
    const go = (): void => {
      while (!response.destroyed && response.write(more));
    };
    response.on('drain', go);
    go();
  },
  'too-many': refusing(429, { 'retry-after': '0' }),
  failing: refusing(500),
  'not-permitted': refusing(401),
  redirecting: refusing(302, { location: 'http://169.254.169.254/latest/meta-data' }),
} satisfies Readonly<Record<string, Wrong>>;
