import { runDistributed } from '@messaging-gateway/service/distributed';
import { inboxSettings } from './config.ts';
import { inbox } from './index.ts';

await runDistributed({ module: inbox }, inboxSettings);
