import { expect, it } from '@jest/globals';
import { readSettings } from '@messaging-gateway/runtime';
import { sessionsSettings } from './config.ts';

it('reads settings, and names every fault at once', () => {
  expect(
    readSettings(sessionsSettings, {
      SESSIONS_DIR: '/data/sessions',
      SOCKET_ENGINE_CLIENT_VERSION: '2.3000.5',
      DEFAULT_ENGINE: 'socket-engine',
    }),
  ).toMatchObject({
    directory: '/data/sessions',
    clientVersion: [2, 3000, 5],
    defaultEngine: 'socket-engine',
    isAlone: true,
    socketUrl: undefined,
  });
  expect(() => readSettings(sessionsSettings, { DEFAULT_ENGINE: 'web-js-engine' })).toThrow(
    /DEFAULT_ENGINE is web-js-engine, which this installation cannot run; it can run socket-engine/,
  );
  const wrong = {
    SOCKET_ENGINE_URL: 'http://x',
    SOCKET_ENGINE_ROOT_KEY: 'abc',
    SOCKET_ENGINE_CLIENT_VERSION: '2',
    DEFAULT_ENGINE: 'other',
    RECONNECT_RATE: '0',
  };
  expect(() => readSettings(sessionsSettings, wrong)).toThrow(
    /SOCKET_ENGINE_URL.*SOCKET_ENGINE_ROOT_KEY.*SOCKET_ENGINE_CLIENT_VERSION.*RECONNECT_RATE/,
  );
});
