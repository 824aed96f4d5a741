import { runDistributed } from '@messaging-gateway/service/distributed';
import { sessionsSettings } from './config.ts';
import { defaultEngineKind } from './engine/engines.ts';
import { sessions } from './index.ts';

await runDistributed(
  { module: sessions, about: ({ defaultEngine }) => ({ engine: defaultEngineKind(defaultEngine) }) },
  sessionsSettings,
);
