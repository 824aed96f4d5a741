import { runDistributed } from '@messaging-gateway/service/distributed';
import { webhooksSettings } from './config.ts';
import { webhooks } from './index.ts';

await runDistributed({ module: webhooks }, webhooksSettings);
