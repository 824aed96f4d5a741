import { runDistributed } from '@messaging-gateway/service/distributed';
import { outboundSettings } from './config.ts';
import { outbound } from './index.ts';

await runDistributed({ module: outbound }, outboundSettings);
